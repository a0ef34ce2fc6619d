// How a place is shown: a colour, an underline, a letter, a name. Never a colour alone.

const kGpuColours = 4;

function keyOf(place) {
  return place.class === "cuda" ? (place.index < 0 ? "gpu" : "gpu:" + place.index) : place.class;
}

// By key, in the order of the legend.
function lookOf(key) {
  switch (key) {
    case "cpu":
      return { key, style: "p-cpu", letter: "C", name: "cpu", rank: 0 };
    case "gpu":
      return { key, style: "p-gpu", letter: "G", name: "a GPU, whichever is current", rank: 90 };
    case "symbolic":
      return { key, style: "p-symbolic", letter: "S", name: "known only by name", rank: 91 };
    case "unknown":
      return { key, style: "p-unknown", letter: "?", name: "place not known", rank: 92 };
    case "unfollowed":
      return { key, style: "p-unfollowed", letter: "\u00b7", name: "not followed", rank: 93 };
    default: {
      const index = Number(key.slice(4));
      const style = "p-gpu" + (index % kGpuColours);
      return { key, style, letter: String(index), name: "cuda:" + index, rank: 1 + index };
    }
  }
}

const kSeveral = { key: "several", style: "p-several", letter: "*", name: "several of them", rank: 94 };

// The looks of a kind of expression, each once, and the one that it has in the source.
function looksOf(source, kind) {
  if (!kind.looks) {
    const keys = new Set(kind.places.map((place) => keyOf(source.places[place])));
    kind.looks = [...keys].map(lookOf).sort((a, b) => a.rank - b.rank);
    kind.look = kind.looks.length === 1 ? kind.looks[0] : kSeveral;
  }
  return kind.looks;
}

function chip(look) {
  return make("span", { class: "chip " + look.style, text: look.letter, title: look.name });
}

// Those that occur in a file.
function legend(source) {
  const looks = new Map();
  for (const kind of source.kinds || []) {
    for (const look of looksOf(source, kind)) looks.set(look.key, look);
    looks.set(kind.look.key, kind.look);
  }
  const list = make("ul", { class: "legend", "aria-label": "Places in this file" });
  for (const look of [...looks.values()].sort((a, b) => a.rank - b.rank)) {
    list.append(make("li", {}, chip(look), look.name));
  }
  return list;
}

// What is known of an expression, for the tip.
function explanation(source, expression) {
  const kind = source.kinds[source.expressions[expression]];
  const list = make("ul");
  for (const index of kind.places) {
    const place = source.places[index];
    const item = make("li", {}, chip(lookOf(keyOf(place))), " ", make("strong", { text: place.place }));
    if (place.how && place.how !== place.place) item.append(": " + place.how);
    const where = decision(place);
    if (where) item.append(" \u2014 ", where);
    list.append(item);
  }
  const heading = kind.what || "value";
  const several = kind.places.length > 1 ? ", in different calls, paths or parts:" : "";
  const box = make("div", {}, make("span", { class: "dim", text: heading + several }), list);
  if (kind.more) box.append(make("span", { class: "dim", text: "and more" }));
  return box;
}

// A link to where a place was decided; null where that is nowhere in the source.
function decision(place) {
  if (!place.line) return null;
  if (place.file === undefined) return make("span", { text: place.path + ":" + place.line });
  return make("a", {
    href: addressOf.file(place.file, place.line),
    text: pathOf(place.file) + ":" + place.line,
  });
}
