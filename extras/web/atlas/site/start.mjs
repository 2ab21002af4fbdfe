// SPDX-License-Identifier: MIT
//
// Starts the page that this is.

const STARTS = { method: startMethod, compare: startCompare, lecture: startLecture };

async function start() {
  const { page } = document.body.dataset;
  if (page === "index") startIndex();
  if (page === "method") startCode();
  if (STARTS[page]) STARTS[page](await openData());
  document.body.dataset.started = "yes";
}

const started = start().catch((error) => complain(error.message));
