"use strict";
const texts = JSON.parse(document.getElementById("texts").textContent);
const detail = document.getElementById("detail");
const heads = document.querySelectorAll("thead th");

function line(bold, rest) {
    const p = document.createElement("p");
    const b = document.createElement("b");
    b.textContent = bold;
    p.append(b, rest);
    return p;
}

function show(event) {
    const cell = event.target.closest("tbody td");
    if (!cell) return;
    const head = heads[cell.cellIndex];
    const name = cell.parentElement.firstElementChild.cloneNode(true);
    name.querySelectorAll("small").forEach((small) => small.remove());
    const at = `${name.textContent} at ${head.querySelector("code").textContent} `;
    const button = cell.querySelector("button");
    if (!button) {
        if (cell.title) detail.replaceChildren(line(at, `(${head.title}): ${cell.title}`));
        return;
    }
    const lines = [line(at, `(${head.title})`), line(`${button.textContent} ${button.getAttribute("aria-label")}: `, texts[button.dataset.text])];
    if (button.dataset.was) lines.push(line(`before: ${button.dataset.was}: `, texts[button.dataset.old]));
    detail.replaceChildren(...lines);
}

const table = document.querySelector("table");
for (const kind of ["click", "mouseover", "focusin"]) table.addEventListener(kind, show);

function unfold() {
    const chosen = location.hash && document.getElementById(location.hash.slice(1));
    if (chosen?.tagName === "DETAILS") chosen.open = true;
}
addEventListener("hashchange", unfold);
unfold();
const scroll = document.querySelector(".scroll");
scroll.scrollLeft = scroll.scrollWidth;
