// What a page signs before it is sent waits until its scripts have come, which on a slow line is after its buttons have:
// sent before, it would go unsigned and unchecked. Scripts that do not come at all hold nobody up for long.

(() => {
  const PATIENCE = 8000;
  const HELD = "form[data-sheet], form[data-word]";
  const ready = () => "ready" in document.documentElement.dataset;
  let waits = false;
  let waited = false;
  addEventListener(
    "submit",
    (event) => {
      const { target: form, submitter } = event;
      const began = performance.now();
      if (ready() || waited || !form.matches(HELD)) return;
      event.preventDefault();
      event.stopImmediatePropagation();
      if (waits) return;
      waits = true;
      const go = () => {
        waited = performance.now() - began > PATIENCE;
        if (!ready() && !waited) return setTimeout(go, 30);
        waits = false;
        form.requestSubmit(submitter);
      };
      go();
    },
    true,
  );
})();
