// Notifications. The button asks the browser for leave and for a subscription, and sends it as a form; nothing is asked before.

const form = document.querySelector("form[data-push]");
const status = document.getElementById("push-state");
const button = form?.querySelector("button");
const bytes = (text) => Uint8Array.from(atob(text.replace(/-/g, "+").replace(/_/g, "/")), (c) => c.charCodeAt(0));
const text = (buffer) =>
  btoa(String.fromCharCode(...new Uint8Array(buffer)))
    .replace(/\+/g, "-")
    .replace(/\//g, "_")
    .replace(/=+$/, "");

function whyNot() {
  if (!isSecureContext) return "Notifications need an address with https.";
  if (!("serviceWorker" in navigator) || !("PushManager" in window) || !("Notification" in window))
    return "This browser can’t show notifications. On an iPhone or iPad, add Legation to the home screen first, and open it from there.";
  return Notification.permission === "denied"
    ? "Notifications from this site are blocked. Allow them in your browser’s settings, then try again."
    : "";
}

async function subscribe() {
  if ((await Notification.requestPermission()) !== "granted")
    throw new Error(whyNot() || "You didn’t allow notifications, so none will come.");
  const worker = await navigator.serviceWorker.register("/service-worker.js").then(() => navigator.serviceWorker.ready);
  const key = bytes(form.dataset.push);
  const old = await worker.pushManager.getSubscription();
  if (old && text(old.options.applicationServerKey) !== form.dataset.push) await old.unsubscribe();
  return worker.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
}

if (form) {
  form.hidden = "on" in form.dataset;
  if (whyNot()) status.textContent = whyNot();
  button.disabled = Boolean(whyNot());
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    button.disabled = true;
    status.textContent = "Allow notifications in your browser…";
    try {
      const made = await subscribe();
      form.elements.endpoint.value = made.endpoint;
      form.elements.p256dh.value = text(made.getKey("p256dh"));
      form.elements.auth.value = text(made.getKey("auth"));
      form.submit();
    } catch (error) {
      status.textContent =
        error.name === "AbortError" ? "Your browser’s push service can’t be reached. Try again later." : error.message;
      button.disabled = false;
    }
  });
}
