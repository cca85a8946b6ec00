// A drawer over the map: a sheet is looked over, sealed and acknowledged in it. What it shows are the pages that the
// same forms open without it.

import { received, sealing } from "./sealing.js";
import { signWords } from "./words.js";

const data = (page, id) => JSON.parse(page.getElementById(id)?.textContent || "null");

/** @param {HTMLFormElement} form whose answer is shown in the drawer; what the drawer can't show becomes a page */
export function openDrawer(form) {
  const drawer = document.createElement("dialog");
  drawer.className = "drawer";
  form.after(drawer);
  let done = false;
  drawer.addEventListener("close", () => done && location.reload());

  /** @param {HTMLFormElement} sent @param {HTMLElement | null} [submitter] */
  async function show(sent, submitter) {
    const address = submitter?.getAttribute("formaction") ?? sent.action;
    const fields = new URLSearchParams(/** @type {any} */ (new FormData(sent, submitter)));
    const answer = await fetch(address, { method: "POST", body: fields });
    if (answer.redirected) return location.assign(answer.url);
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const article = /** @type {HTMLElement | null} */ (page.querySelector("article[data-drawer]"));
    if (!article) throw new Error("It is a page of its own.");
    drawer.replaceChildren(document.adoptNode(article));
    done = article.hasAttribute("data-sent");
    const facts = data(page, "sheet");
    if (done) await received(article, data(page, "proof"));
    const owed = document.getElementById("owed");
    if (done && owed) Object.assign(owed, { textContent: "orders sent", className: "soft" });
    drawer.setAttribute("aria-label", article.querySelector("h1")?.textContent ?? "");
    const sheet = /** @type {HTMLFormElement | null} */ (article.querySelector("form[data-sheet]"));
    if (sheet) await sealing(sheet, facts, () => show(sheet, null).catch(() => sheet.submit()));
    await signWords(article, facts);
    drawer.style.setProperty("--beside", `${document.getElementById("panel")?.offsetWidth ?? 0}px`);
    if (!drawer.open) drawer.showModal();
    drawer.scrollTop = 0;
  }

  drawer.addEventListener("click", (event) => {
    const back = /** @type {Element} */ (event.target).closest("[data-back]");
    if (!back && event.target !== drawer) return;
    event.preventDefault();
    drawer.close();
  });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const { submitter } = event;
    show(form, submitter).catch(() => {
      if (submitter?.hasAttribute("formaction")) form.action = submitter.getAttribute("formaction") ?? "";
      if (submitter?.hasAttribute("name")) {
        const said = Object.assign(document.createElement("input"), { type: "hidden" });
        Object.assign(said, { name: submitter.getAttribute("name"), value: submitter.getAttribute("value") });
        form.append(said);
      }
      form.submit();
    });
  });
}
