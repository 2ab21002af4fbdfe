// SPDX-License-Identifier: MIT
// The static figures, put into their folds when those open, and the files that the page carries.
"use strict";

/** The buttons that save a figure; they say of what. */
function saveButtons(of) {
  const place = document.createElement("span");
  place.className = "save";
  d3.select(place).selectAll("button").data(["SVG", "PNG"]).join("button").text(format => `save ${format}`)
      .attr("data-save", format => format.toLowerCase()).attr("aria-label", format => `save ${format} of ${of}`);
  return place;
}

/** Gives a figure the name of its file, and its buttons what they save. */
function nameFigure(figure, name, of) {
  figure.dataset.name = name.replace(/[^\w.-]+/g, "-");
  figure.querySelector(".save").replaceWith(saveButtons(of));
}

/** Draws what lies in an open fold. */
function fill(fold) {
  if (!fold.open) return;
  if (fold.querySelector("#panels")) drawOthers();
  for (const place of fold.querySelectorAll("[data-figures]:empty"))
    for (const {stem, about, svg} of packed.figures.filter(({kind}) => kind === place.dataset.figures)) {
      const figure = d3.select(place).append("figure").attr("data-name", stem);
      figure.append("div").attr("class", "scroll").attr("tabindex", 0).attr("role", "img").attr("aria-label", about)
          .html(svg);
      figure.append("figcaption").text(`${about} `).append(() => saveButtons(stem));
    }
}

/** Opens the fold to which the address leads. */
function openTarget() {
  const fold = location.hash.includes("=") ? null : document.querySelector(`${location.hash || "#answer"} > details`);
  if (fold) fold.open = true;
}

/** Saves a text as a file. */
function saveText(text, name) {
  const link = document.createElement("a"), url = URL.createObjectURL(new Blob([text]));
  Object.assign(link, {href: url, download: name}).click();
  URL.revokeObjectURL(url);
}

for (const fold of document.querySelectorAll("details.figures")) fold.addEventListener("toggle", () => fill(fold));
const fillFolds = () => document.querySelectorAll("details.figures").forEach(fill);
