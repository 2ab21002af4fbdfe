// SPDX-License-Identifier: MIT
// Numbers as people read them.
"use strict";

const DASH = "\u2013";
const minus = text => text.replace(/^-/, "\u2212");

/** A number: `digits` significant ones, no exponent; a dash where it was not measured. */
const said = (value, digits = 3) => (value ?? null) === null ? DASH : minus(d3.format(`.${digits}r`)(value));
const intervalText = (low, high, show = said) =>
    (low ?? null) === null || (high ?? null) === null ? "" : ` [${show(low)}, ${show(high)}]`;
const withUnit = (text, unit) => text === DASH ? text : `${text} ${unit}`;

/** A ratio as a change in per cent without the sign of per cent: two or three digits; from ten on a factor. */
function changeNumber(ratio) {
  const percent = 100 * (ratio - 1);
  if (ratio >= 10) return `${Number(ratio.toPrecision(3))}\u00d7`;
  if (Math.abs(percent) < 0.05) return "0.0";
  return (percent > 0 ? "+" : "\u2212") + Math.abs(percent).toFixed(Math.abs(percent) < 9.95 ? 1 : 0);
}

const changeText = ratio => (ratio ?? null) === null ? DASH : changeNumber(ratio) + (ratio >= 10 ? "" : " %");

/** A row's change with its interval. */
const changeWithInterval = ({ratio, ratio_low: low, ratio_high: high}) =>
    changeText(ratio) + intervalText(low, high, changeNumber);

const isUndecided = row => data.signs[row.verdict] === "?";

/** A verdict: its sign, and its word where something is decided. */
const verdictText = ({verdict}) =>
    isUndecided({verdict}) ? "?" : `${data.signs[verdict] ?? ""} ${verdict || DASH}`.trim();

/** A size in bytes. */
function sizeText(bytes) {
  if ((bytes ?? null) === null) return DASH;
  const unit = bytes < 1024 ? 0 : Math.floor(Math.log2(bytes) / 10);
  return `${Number((bytes / 1024 ** unit).toPrecision(3))} ${["B", "KiB", "MiB", "GiB", "TiB"][unit]}`;
}
