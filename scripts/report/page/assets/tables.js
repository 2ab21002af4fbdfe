// SPDX-License-Identifier: MIT
// Sorts a table by the clicked column: by data-v where a cell has it (numbers; "not measured" always last), else by
// its text. Filters rows by words. Opens the warnings for print.
"use strict";
for (const table of document.querySelectorAll("table.sortable")) {
  const heads = [...table.tHead.rows[0].cells], body = table.tBodies[0];
  const value = (row, i) => row.cells[i].dataset.v ?? row.cells[i].textContent;
  heads.forEach((head, i) => head.querySelector("button").addEventListener("click", () => {
    const down = head.getAttribute("aria-sort") === "ascending";
    for (const other of heads) other.removeAttribute("aria-sort");
    head.setAttribute("aria-sort", down ? "descending" : "ascending");
    const numeric = head.classList.contains("n"), sign = down ? -1 : 1;
    const compare = (a, b) => {
      const x = value(a, i), y = value(b, i);
      if (!numeric) return sign * x.localeCompare(y);
      return x === "" || y === "" ? (x === "") - (y === "") : sign * (x - y);
    };
    body.append(...[...body.rows].sort(compare));
  }));
}
for (const input of document.querySelectorAll("input[data-filter]")) {
  const rows = [...document.getElementById(input.dataset.filter).tBodies[0].rows];
  input.addEventListener("input", () => {
    const words = input.value.toLowerCase().split(/\s+/);
    for (const row of rows) row.hidden = !words.every(word => row.textContent.toLowerCase().includes(word));
  });
}
// On paper nothing can be opened.
addEventListener("beforeprint", () => {
  for (const warnings of document.querySelectorAll("details.banner")) warnings.open = true;
});
