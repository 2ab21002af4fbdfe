// SPDX-License-Identifier: MIT
//
// The index: the table of all methods, cut down to what a reader has room for, and ordered by one situation.

/** Starts the table of all methods; `ratios` is what the page has of the machines: list of {places: id -> {ratio, text}}. */
export function startIndex() {
  const ratios = JSON.parse(byId("standings").textContent), table = byId("methods"), rows = [...table.tBodies[0].rows];
  const most = byId("most-kib"), words = byId("words"), situation = byId("situation"), needs = byId("needs");
  const show = () => {
    const limit = most.value.trim() === "" ? Infinity : 1024 * Number(most.value);
    const has = new Set(needs.value.split(" ").filter(Boolean));
    for (const row of rows) {
      const canRun = needs.value === "any" || row.dataset.isa.split(" ").filter(Boolean).every((isa) => has.has(isa));
      row.hidden = Number(row.dataset.bytes) > limit || !canRun || !hasWords(row.textContent, words.value);
    }
    byId("shown-count").textContent = `${rows.filter((row) => !row.hidden).length} of ${counted(rows.length, "method")}`;
  };
  const place = () => {
    const { places } = ratios[situation.value];
    for (const row of rows) {
      const cell = row.querySelector(".time"), found = places[row.dataset.id];
      cell.textContent = found?.text ?? "";
      cell.dataset.v = found?.ratio ?? "";
    }
    const head = table.querySelector("th.time");
    head.ariaSort = null;
    sortBy(head);
  };
  for (const control of [most, words, needs]) control.addEventListener("input", show);
  situation.addEventListener("change", place);
  place();
  show();
}
