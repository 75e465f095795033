#include "Asset.h"

// A line for each script: its short name, its long name, and its ranges in hexadecimal.
static const unsigned char scripts[] = {
#embed "unicode/scripts.txt"
};
ASSET(c_asset_scripts, scripts)

// A line for each group of scripts: their short names, and the ranges that they share, in hexadecimal.
static const unsigned char extensions[] = {
#embed "unicode/script-extensions.txt"
};
ASSET(c_asset_script_extensions, extensions)
