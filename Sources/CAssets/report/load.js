// A load: markup of the program, in which exchanges get the same form as those of tests.

/** The sections of loads. */
const loads = [...document.querySelectorAll(".load")];

for (const place of loads.flatMap((section) => [...section.querySelectorAll("[data-exchange]")])) {
  const details = place.closest("details");
  details.addEventListener("toggle", () => {
    replace(place, showExchange(JSON.parse(byId(place.dataset.exchange).textContent)));
  }, { once: true });
}
