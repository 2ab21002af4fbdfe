// SPDX-License-Identifier: MIT
//
// Elements of HTML and SVG, made in one expression each.

/** An element with properties and children; attributes of ARIA and data as the properties `aria` and `data`. */
export function make(name, { aria = {}, data = {}, ...properties } = {}, ...children) {
  const made = Object.assign(document.createElement(name), properties);
  for (const [key, value] of Object.entries(aria)) made.setAttribute(key === "role" ? key : `aria-${key}`, value);
  Object.assign(made.dataset, data);
  made.append(...children);
  return made;
}

/** An element of SVG with attributes and children. */
export function makeSvg(name, attributes = {}, ...children) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

/** A row of a table; `head` says that the first cell names it. */
export function makeRow(cells, head = false) {
  const cell = (content, column) => content instanceof Element && /^T[HD]$/.test(content.tagName) ? content
    : make(head && column === 0 ? "th" : "td", head && column === 0 ? { scope: "row" } : {}, content);
  return make("tr", {}, ...cells.map(cell));
}

/** A table in a box that scrolls where there is no room; `label` names it to a reader who does not see it. */
export function makeTable(label, heads, rows) {
  const head = make("thead", {}, make("tr", {}, ...heads.map((text) => make("th", { scope: "col" }, text))));
  const table = make("table", {}, head, make("tbody", {}, ...rows));
  return make("div", { className: "scroll", tabIndex: 0, aria: { role: "region", label } }, table);
}

/** "1 line", "2,000 lines". */
export const counted = (number, one, many = `${one}s`) => `${number.toLocaleString("en")} ${number === 1 ? one : many}`;

/** An input with its label around it. */
export const labelled = (text, control) => make("label", {}, `${text} `, control);

/** A select of [value, text] pairs. */
export function makeSelect(pairs, value, properties = {}) {
  const select = make("select", properties, ...pairs.map(([each, text]) => make("option", { value: each }, text)));
  select.value = value;
  return select;
}
