// A reporter of Newman that writes when each request of a collection starts, by the clock that the proxy uses as well.

const fs = require("fs");

module.exports = function (emitter, options) {
    emitter.on("beforeItem", (_, event) => {
        fs.appendFileSync(options.export, JSON.stringify([String(process.hrtime.bigint()), event.item.name]) + "\n");
    });
};
