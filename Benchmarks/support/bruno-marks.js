// Makes Bruno write when each request of a collection starts, by the clock that the proxy uses as well.

const fs = require("fs");
const Module = require("module");

const load = Module._load;

Module._load = function (name, ...others) {
    const loaded = load.call(this, name, ...others);
    if (!name.endsWith("/prepare-request") || typeof loaded !== "function") {
        return loaded;
    }
    return (item, ...rest) => {
        fs.appendFileSync(process.env.BRUNO_MARKS, JSON.stringify([String(process.hrtime.bigint()), item.pathname]) + "\n");
        return loaded(item, ...rest);
    };
};
