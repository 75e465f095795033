"""The stages of a run by the modules that implement them, and readable names of symbols."""

import re
import shutil
import subprocess

# The stage of each module. A sample belongs to its innermost function of one of these modules.
STAGES = {
    "YAML": "loading", "SuiteLoader": "loading", "Diagnostics": "loading",
    "Runner": "scheduling and building requests",
    "HTTPSession": "session", "NIOCore": "session", "NIOPosix": "session", "NIOConcurrencyHelpers": "session",
    "_NIODataStructures": "session", "NIOSSL": "session", "NIOTLS": "session",
    "Expectations": "checking", "JSONPath": "checking", "JSON": "checking", "CEL": "checking",
    "RegularExpressions": "checking",
    "Reports": "reporting", "RunRecord": "reporting", "Redaction": "reporting", "Output": "reporting",
    "ProjectConfiguration": "command line", "APITestKit": "command line", "apitest": "command line",
}
C_STAGES = (("yaml_", "loading"), ("CNIO", "session"), ("c_nio", "session"))
OWN = {"YAML", "SuiteLoader", "Diagnostics", "Runner", "HTTPSession", "Expectations", "JSONPath", "JSON", "CEL",
       "RegularExpressions", "Reports", "APITestKit", "ProjectConfiguration", "apitest", "SuiteModel", "RunModel",
       "RunRecord", "Redaction", "Output"}


def demangle(names):
    """Returns a map from symbols to readable names with their modules."""
    names = sorted(names)
    tool = shutil.which("swift-demangle") or shutil.which("swift")
    if tool is None:
        return dict(zip(names, names))
    command = [tool] + ([] if tool.endswith("swift-demangle") else ["demangle"])
    result = subprocess.run(command, input="\n".join(names), capture_output=True, text=True, timeout=120)
    lines = result.stdout.split("\n")
    return dict(zip(names, lines)) if len(lines) >= len(names) else dict(zip(names, names))


def module(name):
    """Returns the module of a demangled Swift function."""
    extension = re.search(r"\(extension in (\w+)\)", name)
    if extension:
        return extension.group(1)
    if " of " in name[:90]:
        # "generic specialization <…> of Module.Type.function", "closure #1 in … of …"
        name = name[name.rindex(" of ") + 4:] if name.startswith(("generic", "function", "merged", "specialized")) \
            else name
    match = re.search(r"(?:^|[\s(<])(\w+)\.", re.sub(r"^(?:static|closure #\d+ in|\(\d+\) \w+ \w+ \w+ \w+ for|"
                                                     r"outlined \w+ of|reabstraction thunk .*?) ", "", name))
    return match.group(1) if match else ""


def short(name):
    """Returns a demangled name without argument types and noise, for a table."""
    name = re.sub(r"^generic (not re-abstracted )?specialization <.*?> of ", "", name)
    name = re.sub(r"^function signature specialization <.*?> of ", "", name)
    name = re.sub(r"^\(\d+\) (await resume|suspend resume) partial function for ", "(resume) ", name)
    name = re.sub(r"\(extension in \w+\):", "", name)
    name = re.sub(r" (async )?(throws(\(.*?\))? )?-> .*$", "", name)
    name = re.sub(r" in _[0-9A-F]{32}", "", name)
    name = re.sub(r"Swift\.", "", name)
    name = re.sub(r"\((\w+): [^()]*\)", r"(\1:)", name)
    return name if len(name) <= 110 else name[:107] + "…"
