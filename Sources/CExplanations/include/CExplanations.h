#pragma once

#include "CAssets.h"

// The pages of `apitest explain`: see Documentation/explanations. They have a target of their own because a changed page
// rebuilds everything that depends on its target.
CAsset c_asset_explanations(void);

// The examples of changes of contracts: see changes/.
CAsset c_asset_change_examples(void);
