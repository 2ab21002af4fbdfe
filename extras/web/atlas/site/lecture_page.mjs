// SPDX-License-Identifier: MIT
//
// The lecture: a board for each station, prepared, and free to change.

/** Starts the stations of the lecture; `data` of `openData`. */
export function startLecture(data) {
  for (const station of document.querySelectorAll(".station")) startStation(data, station);
  globalThis.addEventListener("beforeprint", () => setAnswers(true));
  globalThis.addEventListener("afterprint", () => setAnswers(false));
}

/** Opens or closes the answers: on paper nobody can open them. */
function setAnswers(open) {
  for (const answer of document.querySelectorAll("details.answer")) answer.open = open;
}

function startStation(data, station) {
  const part = (selector) => station.querySelector(selector);
  const method = () => data.atlas.method(part(".station-methods select").value);
  let state = stateOf(`#${station.dataset.state}`, usualState());
  const desk = createDesk(part(".desk"), (changed) => {
    state = { ...state, ...changed };
    draw();
  });
  const draw = () => {
    const { answer, events } = askedOf(data, method(), state);
    desk.say([]);
    desk.draw(state, boardsOf(data, state, answer));
    drawMethodSteps(data, method(), part(".steps"), state, events);
    part("a.open").href = `methods/${method().id}.html${hashOf({ ...state, methods: [] })}`;
  };
  part(".station-methods select").addEventListener("change", draw);
  draw();
}
