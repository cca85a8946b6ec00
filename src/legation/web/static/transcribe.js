/* A picture beside its transcription: the same acts as without a script, at once and without leaving what is typed. */

const form = document.getElementById("transcribe");
const text = document.getElementById("text");
const frame = document.getElementById("sheet-picture");
const image = frame?.querySelector("img");
const pictures = image ? image.dataset.pictures.trim().split(/\s+/) : [];
const field = (name) => form.elements[name];
const kept = `transcription ${location.pathname}`;

function show(action) {
  const [what, number] = action.split(" ");
  const zoom = Number(field("zoom").value);
  if (what === "nearer") field("zoom").value = Math.min(5, zoom + 1);
  if (what === "farther") field("zoom").value = Math.max(1, zoom - 1);
  if (what === "turn") field("quarters").value = (Number(field("quarters").value) + 1) % 4;
  if (what === "contrast") field("contrast").value = field("contrast").value ? "" : "on";
  if (what === "picture") [field("picture").value, field("quarters").value, field("zoom").value] = [number, 0, 1];
  const middle = [
    (frame.scrollLeft + frame.clientWidth / 2) / frame.scrollWidth,
    (frame.scrollTop + frame.clientHeight / 2) / frame.scrollHeight,
  ];
  const quarters = Number(field("quarters").value);
  const address = pictures[Number(field("picture").value)] + (quarters ? `?quarters=${quarters}` : "");
  if (image.getAttribute("src") !== address) image.src = address;
  image.className = `zoom-${field("zoom").value}${field("contrast").value ? " contrast" : ""}`;
  frame.scrollTo(
    middle[0] * frame.scrollWidth - frame.clientWidth / 2,
    middle[1] * frame.scrollHeight - frame.clientHeight / 2,
  );
  for (const button of form.querySelectorAll("[name=view]")) {
    if (button.value === "contrast") button.setAttribute("aria-pressed", String(field("contrast").value !== ""));
    if (button.value.startsWith("picture"))
      button.setAttribute("aria-pressed", String(button.value === `picture ${field("picture").value}`));
  }
}

const readings = document.getElementById("readings");
/** @type {AbortController | null} */
let asked = null;
let waiting = 0;

/** How what is typed reads, once the keys rest; only the last answer is shown. */
function read() {
  clearTimeout(waiting);
  waiting = setTimeout(async () => {
    asked?.abort();
    const { signal } = (asked = new AbortController());
    try {
      const answer = await fetch(readings.dataset.address, {
        method: "POST",
        body: new URLSearchParams({ text: text.value }),
        signal,
      });
      if (answer.ok) readings.innerHTML = await answer.text();
    } catch {
      /* another one is on its way, or the office cannot be reached; what is typed stays */
    }
  }, 250);
}

function write(begin, end, words) {
  text.setRangeText(words, begin, end, "end");
  text.focus();
  text.dispatchEvent(new Event("input", { bubbles: true }));
}

form.addEventListener("click", (event) => {
  const button = event.target.closest("button");
  if (button?.name === "view") {
    event.preventDefault();
    show(button.value);
  } else if (button?.name === "take") {
    event.preventDefault();
    const [, begin, end, reading] = button.value.match(/^(\d+):(\d+):(.*)$/);
    const points = Array.from(text.value); // places count characters, as the office does
    const at = (n) => points.slice(0, n).join("").length;
    write(at(Number(begin)), at(Number(end)), reading);
  } else if (button?.dataset.more) {
    const before = text.value.replace(/\s*$/, "");
    write(0, text.value.length, `${before}${before ? "\n" : ""}${button.dataset.more} `);
  }
});

form.addEventListener("keydown", (event) => {
  if (event.ctrlKey && event.key === "Enter") {
    event.preventDefault();
    form.requestSubmit(form.querySelector("button[value=sign]"));
  }
});

if (frame) {
  /** @type {number[] | null} */
  let from = null;
  frame.addEventListener(
    "wheel",
    (event) => {
      if (!event.ctrlKey) return;
      event.preventDefault();
      show(event.deltaY < 0 ? "nearer" : "farther");
    },
    { passive: false },
  );
  frame.addEventListener("pointerdown", (event) => {
    if (event.pointerType !== "mouse") return;
    from = [event.clientX + frame.scrollLeft, event.clientY + frame.scrollTop];
    frame.setPointerCapture(event.pointerId);
  });
  frame.addEventListener("pointermove", (event) => {
    if (from) frame.scrollTo(from[0] - event.clientX, from[1] - event.clientY);
  });
  for (const end of ["pointerup", "pointercancel"])
    frame.addEventListener(end, () => {
      from = null;
    });
  frame.addEventListener("dragstart", (event) => event.preventDefault());
  frame.addEventListener("keydown", (event) => {
    const action = { "+": "nearer", "-": "farther", r: "turn", c: "contrast" }[event.key];
    if (action) {
      event.preventDefault();
      show(action);
    }
  });
}

// What is typed outlives the page until it is signed off.
text.addEventListener("input", () => {
  sessionStorage.setItem(kept, text.value);
  read();
});
form.addEventListener("submit", (event) => {
  if (["sign", "anyway"].includes(event.submitter?.value)) sessionStorage.removeItem(kept);
});
if (!text.value && sessionStorage.getItem(kept)) write(0, 0, sessionStorage.getItem(kept));
document.documentElement.dataset.ready = "yes";
