#include "CAssets.h"

// Clang has #embed in every version of C; it is a part of C23.
#pragma clang diagnostic ignored "-Wc23-extensions"

/// Defines the function that gives an array of bytes.
#define ASSET(name, array) \
    CAsset name(void) { return (CAsset){array, sizeof array}; }
