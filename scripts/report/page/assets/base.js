// SPDX-License-Identifier: MIT
// What every page can do: tables that sort and filter, figures that can be saved, texts that can be copied.
"use strict";
const byId = id => document.getElementById(id);

/** Makes an HTML element inside another; attributes and text are set, never parsed. */
function make(parent, name, attributes = {}, text = null) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes))
    if (value !== null) made.setAttribute(key, value);
  if (text !== null) made.textContent = text;
  parent.append(made);
  return made;
}

// Tables sort by the clicked column: by data-v where a cell has it (numbers; "not measured" always last), else by text.
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
  const rows = [...byId(input.dataset.filter).tBodies[0].rows];
  input.addEventListener("input", () => {
    const words = input.value.toLowerCase().split(/\s+/);
    for (const row of rows) row.hidden = !words.every(word => row.textContent.toLowerCase().includes(word));
  });
}
// On paper nothing can be opened.
addEventListener("beforeprint", () => {
  for (const warnings of document.querySelectorAll("details.banner")) warnings.open = true;
});
byId("changed")?.addEventListener("change", event => {
  for (const row of document.querySelectorAll("#matrix tbody tr"))
    row.classList.toggle("agreed", event.target.checked && row.lastElementChild.textContent !== "differs");
});

/** Puts a text on the clipboard, and says so on the button. */
async function copy(text, button) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {  // a browser that allows it to no file
    const area = make(document.body, "textarea");
    area.value = text;
    area.select();
    document.execCommand("copy");
    area.remove();
  }
  const said = button.textContent;
  button.textContent = "copied";
  setTimeout(() => { button.textContent = said; }, 1200);
}

/** A table as Markdown; hidden rows are left out. */
function markdown(table) {
  const cell = c => {
    const text = c.cloneNode(true);
    for (const button of text.querySelectorAll("button.small")) button.remove();
    return text.textContent.trim().replace(/\s+/g, " ").replaceAll("|", "\\|");
  };
  const line = row => `| ${[...row.cells].map(cell).join(" | ")} |`;
  const rule = `|${[...table.tHead.rows[0].cells].map(c => c.classList.contains("n") ? "---:" : "---").join("|")}|`;
  return [line(table.tHead.rows[0]), rule, ...[...table.tBodies[0].rows].filter(row => !row.hidden).map(line)]
      .join("\n");
}

/** A drawing as a file of its own: the page's colours and fonts written out. */
function standalone(svg) {
  const copied = svg.cloneNode(true), {width, height} = svg.viewBox.baseVal;
  const style = getComputedStyle(document.documentElement);
  const from = [svg, ...svg.querySelectorAll("*")], to = [copied, ...copied.querySelectorAll("*")];
  const colour = (_, name, other) => style.getPropertyValue(name) || other;
  const plain = text => text.replace(/var\((--[\w-]+)(?:, ?([^)]+))?\)/g, colour);
  from.forEach((element, i) => {
    for (const name of ["style", "fill", "stroke"])
      if (element.hasAttribute(name)) to[i].setAttribute(name, plain(element.getAttribute(name)));
    if (element.tagName !== "text" || element.hasAttribute("style")) return;
    const seen = getComputedStyle(element);
    for (const name of ["fill", "font-family", "font-size", "font-weight"])
      to[i].style.setProperty(name, seen.getPropertyValue(name));
  });
  const space = "http://www.w3.org/2000/svg", paper = document.createElementNS(space, "rect");
  const fill = style.getPropertyValue("--paper").trim();
  for (const [element, set] of [[copied, {xmlns: space, width, height}], [paper, {width, height, fill}]])
    for (const [key, value] of Object.entries(set)) element.setAttribute(key, value);
  copied.prepend(paper);
  return new XMLSerializer().serializeToString(copied);
}

function download(url, name) {
  const link = make(document.body, "a", {href: url, download: name});
  link.click();
  link.remove();
}

/** A drawing as the URL of an SVG or, at twice its size, of a PNG. */
async function pictured(svg, format) {
  const url = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(standalone(svg))}`;
  if (format === "svg") return url;
  const image = new Image(), canvas = document.createElement("canvas");
  image.src = url;
  await image.decode();
  canvas.width = 2 * svg.viewBox.baseVal.width;
  canvas.height = 2 * svg.viewBox.baseVal.height;
  canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
  return canvas.toDataURL("image/png");
}

document.addEventListener("click", async event => {
  const format = event.target.dataset?.save, figure = event.target.closest("figure");
  if (!format || !figure?.querySelector("svg")) return;
  download(await pictured(figure.querySelector("svg"), format), `${figure.dataset.name}.${format}`);
});
