#include "CAssets.h"

// #embed is part of C23. Clang supports it in every version of C.
#pragma clang diagnostic ignored "-Wc23-extensions"

/// Defines a function that returns an array of bytes.
#define ASSET(name, array) \
    CAsset name(void) { return (CAsset){array, sizeof array}; }
