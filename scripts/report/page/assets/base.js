// SPDX-License-Identifier: MIT
// What every page can do: tables that sort and filter, figures that can be saved, texts that can be copied.
"use strict";
const byId = id => document.getElementById(id);

/** Orders two values of a column; what was not measured, "" or null, stands last. */
function compare(x, y, down) {
  const isEmpty = value => (value ?? "") === "";
  if (isEmpty(x) || isEmpty(y)) return isEmpty(x) - isEmpty(y);
  return (down ? -1 : 1) * (typeof x === "number" ? x - y : x.localeCompare(y));
}

/** Whether a text has all the words that a reader typed. */
const hasWords = (text, typed) => typed.toLowerCase().split(/\s+/).every(word => text.toLowerCase().includes(word));

/** Sorts a table by the column of a heading: by data-v where its cells have it, else by their text. */
function sortBy(head) {
  const body = head.closest("table").tBodies[0], i = head.cellIndex, down = head.ariaSort === "ascending";
  for (const other of head.parentNode.cells) other.removeAttribute("aria-sort");
  head.ariaSort = down ? "descending" : "ascending";
  const value = ({cells: {[i]: cell}}) => cell.dataset.v ? Number(cell.dataset.v) : cell.dataset.v ?? cell.textContent;
  body.append(...[...body.rows].sort((a, b) => compare(value(a), value(b), down)));
}

/** Puts a text on the clipboard, and says so on the button. */
async function copy(text, button) {
  const said = button.textContent;
  button.textContent = await navigator.clipboard.writeText(text).then(() => "copied", () => "not allowed here");
  setTimeout(() => { button.textContent = said; }, 1200);
}

/** The text of a cell, without buttons that only act. */
function cellText(cell) {
  const kept = [...cell.childNodes].filter(node => !node.matches?.(".copy"));
  return kept.map(node => node.textContent).join("").trim().replace(/\s+/g, " ");
}

/** A table as Markdown; hidden and opened rows are left out. */
function markdown(table) {
  const cell = c => cellText(c).replaceAll("|", "\\|");
  const line = cells => `| ${cells.join(" | ")} |`;
  const [head, ...rows] = [...table.rows].filter(row => !row.hidden && !row.matches(".opened"));
  const rule = [...head.cells].map(c => c.classList.contains("n") ? "---:" : "---");
  return [head, ...rows].map(row => line([...row.cells].map(cell))).toSpliced(1, 0, line(rule)).join("\n");
}

/** A drawing as the URL of an SVG or, at twice its size, of a PNG. */
async function pictured(svg, format) {
  const {width, height} = svg.viewBox.baseVal, copied = svg.cloneNode(true);
  for (const [name, value] of Object.entries({xmlns: "http://www.w3.org/2000/svg", width, height}))
    copied.setAttribute(name, value);
  copied.style.background = "white";
  const url = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(new XMLSerializer().serializeToString(copied))}`;
  if (format === "svg") return url;
  const image = new Image(), canvas = document.createElement("canvas");
  image.src = url;
  await image.decode();
  Object.assign(canvas, {width: 2 * width, height: 2 * height});
  canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
  return canvas.toDataURL("image/png");
}

document.addEventListener("click", async event => {
  const head = event.target.closest("table.sortable th"), format = event.target.dataset.save;
  if (head) sortBy(head);
  const figure = format && event.target.closest("figure"), svg = figure?.querySelector("svg");
  if (!svg) return;
  const link = document.createElement("a");
  Object.assign(link, {href: await pictured(svg, format), download: `${figure.dataset.name}.${format}`}).click();
});
for (const input of document.querySelectorAll("input[data-filter]"))
  input.addEventListener("input", () => {
    for (const row of byId(input.dataset.filter).tBodies[0].rows) row.hidden = !hasWords(row.textContent, input.value);
  });
