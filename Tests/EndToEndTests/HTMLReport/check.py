"""Opens HTML reports in a headless Chromium and checks that they work.

usage: check.py REPORT BIG-REPORT [DIRECTORY-FOR-SCREENSHOTS]
"""

import os
import re
import sys
import time

from chromium import Chromium

failures = 0


def check(what, isTrue, detail=""):
    global failures
    if not isTrue:
        failures += 1
    print(f"{'ok' if isTrue else 'FAILED'}: {what}{'' if isTrue or detail == '' else f' ({detail})'}", flush=True)


MOST_PAGES = 12
ROWS = "document.querySelectorAll('.row').length"
FIRST = "document.querySelector('[aria-posinset=\"1\"]')"
SHOWN = "document.getElementById('shown').textContent"
FOCUS = "document.activeElement.id"


def check_page(browser, url, shot):
    browser.size(1440, 960)
    browser.scheme("light")
    browser.open(url)
    check("nothing on the console, nothing asked of the network", browser.problems == [], browser.problems)
    check("the overview is shown", browser.js("!!document.querySelector('.hero h1')"))
    total = browser.js("JSON.parse(document.getElementById('data').textContent).tests.length")
    check("nothing has the focus", browser.js("document.activeElement === document.body"))
    browser.key("ArrowDown")
    check("the arrows move all the same", browser.js("location.hash").startswith("#test="))
    browser.js("document.getElementById('home').click()")
    check("all tests are counted", browser.js(SHOWN) == f"{total} tests", browser.js(SHOWN))
    check("a failure is first", browser.js(FIRST + ".matches('.o2, .o3')"))
    check("there is a timeline", browser.js("document.querySelector('canvas').height > 20"))
    trend = "[...document.querySelectorAll('.line.trend')].find(t => t.textContent.includes('add a book'))"
    check("what earlier runs say is there", browser.js(f"{trend}?.textContent ?? ''").startswith("still failing"))
    browser.js(f"{trend}?.click()")
    check("it leads to the test", browser.js("document.querySelector('#main h1').textContent") == "add a book")
    browser.js("document.getElementById('home').click()")
    check_details(browser, total)
    light = browser.js("getComputedStyle(document.body).backgroundColor")
    shot("light")

    # Filters
    browser.js("document.querySelector('.chip[data-outcome=\"2\"]').click()")
    check("an outcome filters", browser.js("[...document.querySelectorAll('.row')].every(r => r.matches('.o2'))"))
    check("the address has the filter", "outcome=failed" in browser.js("location.hash"))
    browser.key("/")
    check("/ goes to the search", browser.js(FOCUS) == "search", browser.js(FOCUS))
    for letter in "hostile":
        browser.key(letter)
    browser.until("location.hash.includes('q=hostile')")
    check("the search leaves one", browser.js(SHOWN).startswith("1 of "), browser.js(SHOWN))
    browser.key("Enter")
    check("Enter shows it", "hostile" in browser.js("document.querySelector('#main h1').textContent"))
    address = browser.js("location.hash")
    check("the address has the test", "test=" in address, address)

    # Hostile strings
    body = browser.js("document.querySelector('#main .payload pre').textContent")
    check("markup in a body is text", "</script><script>window.x=1</script>" in body, body[:200])
    check("control characters are shown", "\\x1B[31m" in body and "\\u202E" in body, body[:200])
    check("nothing of it ran", browser.js("typeof window.x") == "undefined")
    check("nothing of it is markup", browser.js("document.querySelectorAll('#main img, #main script').length") == 0)
    curl = browser.js("document.querySelector('[data-curl]').textContent")
    check("a curl command is there", curl.startswith("curl "), curl)
    shot("hostile")

    # The URL restores the state of the page.
    browser.reload()
    check("nothing on the console after a reload", browser.problems == [], browser.problems)
    check("the address is kept", browser.js("location.hash") == address)
    check("the filters are back", browser.js(SHOWN).startswith("1 of ")
          and browser.js("document.getElementById('search').value") == "hostile")
    check("the test is back", "hostile" in browser.js("document.querySelector('#main h1').textContent"))

    # Keyboard
    browser.key("Escape")
    check("Escape goes to the overview", browser.js("!!document.querySelector('.hero')"))
    browser.js("document.getElementById('clear').click()")
    check("filters can be cleared", browser.js(SHOWN) == f"{total} tests")
    browser.js("document.getElementById('list').focus()")
    browser.key("j")
    first = browser.js("document.querySelector('#main h1').textContent")
    browser.key("ArrowDown")
    second = browser.js("document.querySelector('#main h1').textContent")
    browser.key("k")
    check("j, arrows and k move", first != second
          and browser.js("document.querySelector('#main h1').textContent") == first, (first, second))
    selected = browser.js("document.querySelector('[aria-selected=true] .name').textContent")
    check("the row is selected", selected == first, selected)
    check("the list says which", browser.js("!!document.getElementById(list.getAttribute('aria-activedescendant'))"))
    shot("failure")
    browser.key("Enter")
    check("Enter goes to the test", browser.js(FOCUS) == "main")
    browser.key("f")
    check("f goes to the next failure", browser.js("document.querySelector('#main .title .mark').matches('.o2, .o3')"))
    browser.key("?")
    check("? shows the keys", browser.js("document.getElementById('keys').open"))
    browser.key("Escape")
    browser.until("!document.getElementById('keys').open")
    browser.js("history.back()")
    browser.until(f"document.querySelector('#main h1').textContent === {first!r}")
    check("going back shows what was there before", True)

    # Light and dark
    browser.scheme("dark")
    browser.js("document.getElementById('home').click()")
    dark = browser.js("getComputedStyle(document.body).backgroundColor")
    check("dark where the system is", dark != light, dark)
    shot("dark")
    browser.key("t")
    check("the switch makes it light", browser.js("getComputedStyle(document.body).backgroundColor") == light)
    browser.key("t")
    browser.key("t")
    browser.scheme("light")

    # The content security policy prevents network access.
    blocked = browser.js(
        "new Promise(done => { document.addEventListener('securitypolicyviolation', () => done(true));"
        " fetch('http://127.0.0.1:9/').then(() => done(false), () => {}); setTimeout(() => done(false), 3000); })")
    check("the page may not use the network", blocked)

    # Narrow screens
    browser.size(400, 800)
    browser.open(url)
    width = browser.js("document.documentElement.scrollWidth - innerWidth")
    check("no sideways scrolling on a narrow screen", width <= 0, width)
    browser.js("document.getElementById('view-main').click()")
    top = "document.querySelector({!r}).getBoundingClientRect().top"
    failures, run = (browser.js(top.format(name)) for name in ('[aria-label="Failures"]', '[aria-label="Run"]'))
    check("failures come before facts on a narrow screen", failures < run, (failures, run))
    browser.js("document.getElementById('view-tests').click()")
    shot("narrow")
    browser.js("document.querySelector('.row.o2').click()")
    side = browser.js("getComputedStyle(document.querySelector('.side')).visibility")
    check("a test fills a narrow screen", side == "hidden", side)
    shot("narrow-failure")
    browser.size(1440, 960)

    # Print
    browser.open(url)
    pages = len(re.findall(rb"/Type\s*/Page[^s]", browser.pdf()))
    check("printing wastes no pages", pages <= MOST_PAGES, pages)

    # Without JavaScript
    browser.call("Emulation.setScriptExecutionDisabled", value=True)
    browser.open(url)
    browser.call("Emulation.setScriptExecutionDisabled", value=False)
    plain = browser.js("document.querySelector('.plain') ? document.querySelector('.plain').innerText : ''")
    check("failures are there without JavaScript", "Failures" in plain and "hostile" in plain, plain[:200])
    check("a summary is there without JavaScript", "passed" in plain and "total" in plain)
    shot("plain")


def show(browser, name):
    """Opens the test with a name."""
    browser.js(f"[...document.querySelectorAll('.row')].find(r => r.querySelector('.name').textContent === {name!r}).click()")


def search(browser, words):
    """Returns the names of the tests that a search finds."""
    browser.js(f"{{ const s = document.getElementById('search'); s.value = {words!r}; s.dispatchEvent(new Event('input')); }}")
    browser.until(f"new URLSearchParams(location.hash.slice(1)).get('q') === {words!r}")
    shown = browser.js(SHOWN)
    browser.until(f"document.querySelectorAll('.row').length === {shown.split(' ')[0]}")
    names = browser.js("[...document.querySelectorAll('.row .name')].map(n => n.textContent)")
    browser.js("document.getElementById('clear').click()")
    return names


def check_details(browser, total):
    text = "document.querySelector('#main').innerText"
    check("failing rows name their suite", browser.js("document.querySelector('.row.o2 .where').textContent") == "Bookshop")
    for words, expected in [
        ("GET /health", ["sends it in steps", "the shop is open"]), ("get health 404", []),
        ("rich.yaml:4 open", ["the shop is open"]), ("rich.yaml:11:", ["hostile body"]),
    ]:
        found = sorted(search(browser, words))
        check(f"the search for {words} finds method, URL, status and location", found == expected, found)
    show(browser, "the shop is open")
    shown = browser.js(text)
    check("a test that passed shows its request", "GET" in shown and "/health" in shown and "200" in shown, shown)
    check("it shows its last runs", "Last runs" in shown and "0 of the last 2 runs failed" in shown, shown)
    show(browser, "sends it in steps")
    shown = browser.js(text)
    check("a step that did not run says why", "not run: if: 1 == 2 is false" in shown, shown)
    show(browser, "order and pay")
    check("also behind one that failed", "not run: order failed" in browser.js(text), browser.js(text))
    show(browser, "spelling")
    escapes = browser.js("[...document.querySelectorAll('#main .payload .escape')].map(e => e.textContent)")
    check("joiners in spelling stay, others show", escapes == ["\\u200D"], escapes)
    show(browser, "long body")
    browser.until("document.querySelector('#main .payload pre').tabIndex === 0")
    check("a long body scrolls by keyboard", True)
    signs = "new Set([...document.querySelectorAll('.row .mark')].map(m => m.textContent + m.className)).size"
    check("every outcome has a sign of its own", browser.js(signs) == browser.js(
        "new Set([...document.querySelectorAll('.row .mark')].map(m => m.textContent)).size"))
    browser.js("document.getElementById('home').click()")
    check("nothing is filtered again", browser.js(SHOWN) == f"{total} tests")


def check_big_page(browser, url, shot):
    browser.size(1440, 960)
    browser.call("Page.addScriptToEvaluateOnNewDocument", source="""
        window.longTasks = [];
        new PerformanceObserver((entries) => {
          for (const entry of entries.getEntries()) window.longTasks.push(Math.round(entry.duration));
        }).observe({ type: 'longtask', buffered: true });""")
    begin = time.monotonic()
    browser.open(url)
    loaded = time.monotonic() - begin
    total = browser.js("JSON.parse(document.getElementById('data').textContent).tests.length")
    browser.until("performance.getEntriesByName('first-contentful-paint').length > 0")
    paint = browser.js("Math.round(performance.getEntriesByName('first-contentful-paint')[0].startTime)")
    print(f"{total} tests: first paint after {paint} ms, loaded after {loaded * 1000:.0f} ms")
    check("nothing on the console", browser.problems == [], browser.problems)
    check("opened in a bearable time", loaded < 15, loaded)
    check("few rows exist", browser.js(ROWS) < 60, browser.js(ROWS))
    shot("big")
    opening = browser.js("window.longTasks.splice(0)")
    most = browser.js("""new Promise((done) => {
        const list = document.getElementById('list');
        let most = 0;
        let step = 0;
        const next = () => {
          most = Math.max(most, document.querySelectorAll('.row').length);
          list.scrollTop = list.scrollHeight * step / 200;
          if (step++ < 200) requestAnimationFrame(next); else setTimeout(() => done(most), 200);
        };
        next();
      })""")
    check("few rows exist while scrolling", 0 < most < 80, most)
    check("the last row is there", browser.js(f"!!document.querySelector('[aria-posinset=\"{total}\"]')"))
    scrolling = browser.js("window.longTasks")
    print(f"long tasks: {opening} ms while opening, {scrolling} ms while scrolling through all")
    took = browser.js("""new Promise((done) => {
        const search = document.getElementById('search');
        search.value = 'number 77';
        const begin = performance.now();
        search.dispatchEvent(new Event('input'));
        const look = () => location.hash.includes('q=')
          ? done(Math.round(performance.now() - begin - 120)) : setTimeout(look, 1);
        look();
      })""")
    print(f"a search took {took} ms")
    shown = browser.js(SHOWN)
    check("the search finds some", " of " in shown and not shown.startswith("0 "), shown)


def main():
    page, big = (f"file://{os.path.abspath(path)}" for path in sys.argv[1:3])
    directory = sys.argv[3] if len(sys.argv) > 3 else None
    with Chromium() as browser:

        def shot(name):
            if directory:
                time.sleep(0.3)
                browser.screenshot(os.path.join(directory, name + ".png"))

        check_page(browser, page, shot)
        check_big_page(browser, big, shot)
    print(f"{failures} failed")
    return 1 if failures else 0


sys.exit(main())
