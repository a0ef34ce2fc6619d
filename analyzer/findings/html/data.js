"use strict";

// What the report holds, as the analyzer wrote it: one element of data for the report, and one for
// each file, which is read when that file is looked at.

const report = JSON.parse(document.getElementById("report").textContent);

const kKeptSources = 16;
const sources = new Map();

// The text, expressions and places of a file; null where its source is not in the report.
function sourceOf(index) {
  if (sources.has(index)) return sources.get(index);
  const element = document.getElementById("file-" + index);
  if (!element) return null;
  const source = JSON.parse(element.textContent);
  source.lines = source.text.split("\n");
  if (source.lines.length > 1) source.lines.pop();
  if (sources.size === kKeptSources) sources.delete(sources.keys().next().value);
  sources.set(index, source);
  return source;
}

function pathOf(index) {
  return report.files[index].path;
}

function fileNamed(path) {
  return report.files.findIndex((file) => file.path === path);
}

function count(number, singular) {
  return number + " " + singular + (number === 1 ? "" : "s");
}

// An element with properties (`text`, `class`, attributes) and children. Text is only ever set as text:
// nothing of an analysed program is read as markup.
function make(tag, properties, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties || {})) {
    if (value === undefined || value === null || value === false) continue;
    if (name === "text") element.textContent = value;
    else if (name === "class") element.className = value;
    else if (typeof value === "function") element.addEventListener(name, value);
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

const addressOf = {
  finding: (index) => "#finding=" + (index + 1),
  file: (index, line) =>
    "#file=" + encodeURIComponent(pathOf(index)) + (line ? ":" + line : ""),
  rule: (id) => "#rule=" + encodeURIComponent(id),
};
