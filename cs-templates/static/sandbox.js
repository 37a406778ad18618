// The sandbox and finding pages, better with a script: the panel updates itself, more log lines come below those
// shown, copy buttons work. Everything here also works without it, by links and by reloading.
"use strict";
(() => {
  let panel = document.getElementById("panel");

  // Copying. The buttons are hidden in the markup because without a script they could do nothing.
  function arm(root) {
    for (const b of root.querySelectorAll("[data-copy],[data-copy-text]")) {
      b.hidden = false;
      b.addEventListener("click", async () => {
        const from = b.dataset.copy && document.getElementById(b.dataset.copy);
        const was = b.textContent;
        try {
          await navigator.clipboard.writeText(from ? from.textContent : b.dataset.copyText);
          b.textContent = "Copied";
        } catch {
          b.textContent = "Could not copy";
        }
        setTimeout(() => { b.textContent = was; }, 2000);
      });
    }
  }

  // When the work is over, the page's content is exchanged as a whole, so that charts and marks fit the finding. The
  // place on the page stays; focus moves only when it was inside the panel.
  async function renew() {
    const main = document.getElementById("main");
    const inside = panel.contains(document.activeElement);
    const r = await fetch(location.pathname + location.search.replace(/[?&]already=1/, ""), { cache: "no-store" });
    const doc = new DOMParser().parseFromString(await r.text(), "text/html");
    document.title = doc.title;
    main.replaceChildren(...doc.getElementById("main").childNodes);
    panel = document.getElementById("panel");
    arm(main);
    more();
    const head = document.getElementById("headline");
    const word = (sel) => (panel.querySelector(sel)?.textContent || "").trim();
    document.getElementById("live").textContent = head
      ? "Finding ready: " + word(".cl") + ", " + word(".conf").toLowerCase()
      : word(".msg b") || "The investigation is over";
    if (inside && head) head.focus();
  }

  // Polling: every 2 s, after a minute every 5 s, not while the tab is hidden.
  function poll() {
    const url = panel && panel.dataset.poll;
    const begun = Date.now();
    let etag = "";
    if (!url) return;
    async function look() {
      if (document.hidden) { document.addEventListener("visibilitychange", look, { once: true }); return; }
      try {
        const r = await fetch(url, { headers: etag ? { "If-None-Match": etag } : {}, cache: "no-store" });
        if (r.status === 200) {
          etag = r.headers.get("ETag") || "";
          const doc = new DOMParser().parseFromString(await r.text(), "text/html");
          const run = doc.querySelector(".run");
          if (!run || !run.dataset.open) { await renew(); return; }
          panel.replaceChildren(...doc.body.childNodes);
          arm(panel);
        }
      } catch { /* the next look may be answered */ }
      setTimeout(look, Date.now() - begun > 60000 ? 5000 : 2000);
    }
    setTimeout(look, 1000);
  }

  // More log lines: the fragment has a table with rows and a new foot.
  function more() {
    const foot = document.getElementById("l-foot");
    const body = document.getElementById("l-body");
    if (!foot || !body) return;
    foot.addEventListener("click", async (ev) => {
      const a = ev.target.closest("[data-more]");
      if (!a) return;
      ev.preventDefault();
      const here = new URL(location.href);
      const url = new URL(here.pathname + "/logs", here);
      url.searchParams.set("from", a.dataset.more);
      url.searchParams.set("n", foot.querySelector("[data-last]").dataset.last);
      for (const k of ["q", "level", "in"]) if (here.searchParams.get(k)) url.searchParams.set(k, here.searchParams.get(k));
      a.setAttribute("aria-busy", "true");
      a.textContent = "Loading…";
      try {
        const r = await fetch(url);
        const doc = new DOMParser().parseFromString(await r.text(), "text/html");
        body.append(...doc.querySelectorAll("tbody > tr"));
        const next = doc.querySelector(".l-foot, .msg");
        foot.replaceChildren(...(next ? [next] : []));
      } catch {
        location.href = a.href;
      }
    });
  }

  arm(document);
  poll();
  more();
})();
