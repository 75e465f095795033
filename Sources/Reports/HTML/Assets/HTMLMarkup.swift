/// The markup of the page, which its script fills.
enum HTMLMarkup {
    static let text = #"""
        <header class="top" hidden>
          <button class="control verdict" id="home" title="Overview"></button>
          <span class="spring"></span>
          <span class="views" role="group" aria-label="View">
            <button class="button" id="view-tests">Tests</button>
            <button class="button" id="view-main">Overview</button>
          </span>
          <button class="button quiet" id="theme" title="Light, dark, or as the system has it"></button>
          <button class="button quiet" id="help" title="Keyboard (?)" aria-label="Keyboard shortcuts">?</button>
        </header>
        <div class="frame" hidden>
          <section class="side" aria-label="Tests">
            <div class="filters">
              <div class="search">
                <input type="search" id="search" placeholder="Search name, message, URL, file:line" autocomplete="off"
                  spellcheck="false" aria-label="Search names, suites, tags, messages, methods, URLs and locations">
                <kbd aria-hidden="true">/</kbd>
              </div>
              <div class="chips" id="chips" role="group" aria-label="Outcome"></div>
              <div class="selects">
                <select id="suite" aria-label="Suite"></select>
                <select id="tag" aria-label="Tag"></select>
                <select id="sort" aria-label="Order"></select>
              </div>
              <div class="shown"><span id="shown" role="status"></span><span class="spring"></span>
                <button class="control" id="clear" hidden>Clear filters</button></div>
            </div>
            <div class="list" id="list" role="listbox" tabindex="0" aria-label="Tests">
              <div class="space" id="space" role="presentation"></div>
            </div>
          </section>
          <main class="main" id="main" tabindex="-1"></main>
        </div>
        <dialog id="keys" aria-labeledby="keys-title">
          <h2 id="keys-title">Keyboard</h2>
          <dl>
            <dt><kbd>/</kbd></dt><dd>search</dd>
            <dt><kbd>j</kbd><kbd>k</kbd></dt><dd>next and previous test (also the arrows, in the list)</dd>
            <dt><kbd>f</kbd><kbd>F</kbd></dt><dd>next and previous failure</dd>
            <dt><kbd>Enter</kbd></dt><dd>go to what is shown of the test</dd>
            <dt><kbd>Esc</kbd></dt><dd>back: out of the search, to the list, to the overview</dd>
            <dt><kbd>c</kbd></dt><dd>copy the curl command</dd>
            <dt><kbd>t</kbd></dt><dd>light or dark</dd>
            <dt><kbd>?</kbd></dt><dd>this list</dd>
          </dl>
          <form method="dialog"><button class="button">Close</button></form>
        </dialog>
        <div class="tip" id="tip" hidden></div>
        <div class="visually-hidden" id="spoken" role="status" aria-live="polite"></div>
        <div class="printed" id="printed"></div>

        """#
}
