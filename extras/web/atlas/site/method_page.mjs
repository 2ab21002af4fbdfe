// SPDX-License-Identifier: MIT
//
// The page of a method: its answer, steps and reads for the position on the board, and its code to copy.

/** Starts a method's page; `data` of `openData`. */
export function startMethod(data) {
  const method = data.atlas.method(document.body.dataset.method);
  const reads = createReads(byId("reads-drawn"), JSON.parse(byId("pressures").textContent));
  createPage(usualState(), (state, desk) => {
    const { answer, events } = askedOf(data, method, state);
    desk.draw(state, boardsOf(data, state, answer));
    drawMethodSteps(data, method, byId("steps-drawn"), state, events);
    reads.draw(method.tables, readsOf(events), labelOf(state));
    byId("compare-link").href = `../compare.html${hashOf({ ...state, methods: [method.id, ...otherThan(method.id)] })}`;
  });
}

/** What a method is compared with first. */
const otherThan = (id) => ["magic_fancy", "hyperbola"].filter((other) => other !== id).slice(0, 1);

/** Unpacks the code of a method's page where it is opened. */
export function startCode() {
  for (const holder of document.querySelectorAll("details[data-code]"))
    holder.addEventListener("toggle", () => fillCode(holder), { once: true });
  for (const button of document.querySelectorAll("button[data-copy]"))
    button.addEventListener("click", async () => copy(await codeOf(button.dataset.copy), button));
}

/** A text of this page's code by its name. */
const codeOf = async (name) => (JSON.parse(await textOf(byId("code-packed").textContent.trim())))[name];

async function fillCode(holder) {
  holder.querySelector("code").textContent = await codeOf(holder.dataset.code);
}
