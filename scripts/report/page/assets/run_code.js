// SPDX-License-Identifier: MIT
// What opens under a row of the table of all methods: facts, counts and the method's code.
"use strict";

const KEYWORDS = "alignas alignof auto bool break case char class const constexpr continue default do double else " +
    "enum extern explicit false float for if inline int long namespace noexcept operator private public return short " +
    "signed sizeof static static_assert static_cast struct switch template this true typedef typename union unsigned " +
    "using void while";
// Comments, lines of the preprocessor, strings, keywords, numbers; a part of the expression each.
const TOKENS = new RegExp([/(\/\/[^\n]*|\/\*[\s\S]*?\*\/)/, /(^[ \t]*#[^\n]*)/, /("(?:[^"\\\n]|\\.)*")/,
                           `\\b(${KEYWORDS.replaceAll(" ", "|")})\\b`, /\b((?:0x[\da-f']+|\d[\d.']*)[ul]*)\b/]
                              .map(part => part.source ?? part).join("|"), "gim");
const KINDS = ["comment", "preprocessor", "string", "keyword", "number"];

/** Puts code into an element, its tokens in colours. */
function highlight(element, code) {
  let end = 0;
  for (const match of code.matchAll(TOKENS)) {
    const token = document.createElement("span");
    token.className = KINDS[match.slice(1).findIndex(part => part !== undefined)];
    token.textContent = match[0];
    element.append(code.slice(end, match.index), token);
    end = match.index + match[0].length;
  }
  element.append(code.slice(end));
}

/** Every fact of a row, as [name, text]. */
function factsOf(row, cell) {
  const text = (key, show) => key === "verdict" ? verdictText(row) : show?.(row) ?? row[key];
  const texts = columnsOf(cell).map(([key, head, show]) => [head, text(key, show)]);
  const why = isUndecided(row) ? [["undecided", "not significant"]] : [];
  const all = [["method", row.title], ...texts, ...why, ["in the sources", row.header]];
  return all.filter(([, words]) => (words ?? "") !== "");
}

function openRow(row) {
  const {cell} = view, width = byId("methods-live").closest(".scroll").clientWidth;
  const line = d3.select(this.parentNode).insert("tr", () => this.nextSibling).attr("class", "opened");
  const box = line.append("td").attr("colspan", this.cells.length).append("div").attr("class", "opening")
      .style("width", `${width - 2}px`);
  const buttons = box.append("p"), code = packed.headers[row.method];
  if (code) buttons.append("button").attr("data-header", row.method).text(`copy the code of ${row.label}`);
  const parts = box.append("div").attr("class", "parts"), list = parts.append("dl");
  for (const [name, text] of factsOf(row, cell)) {
    list.append("dt").text(name);
    list.append("dd").text(text);
  }
  if (code) {
    const shown = parts.append("pre").attr("tabindex", 0).attr("role", "region")
        .attr("aria-label", `code of ${row.label}`);
    highlight(shown.append("code").node(), code);
  } else {
    parts.append("p").attr("class", "note").text("No file of headers/ is this method; its own header says how it works.");
  }
}
