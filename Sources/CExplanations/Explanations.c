#include "CExplanations.h"
#include "../CAssets/Asset.h"

static const unsigned char explanations[] = {
#embed "../../Documentation/explanations/files.md" suffix(,)
#embed "../../Documentation/explanations/options.md" suffix(,)
#embed "../../Documentation/explanations/yaml.md" suffix(,)
#embed "../../Documentation/explanations/suites.md" suffix(,)
#embed "../../Documentation/explanations/rows.md" suffix(,)
#embed "../../Documentation/explanations/matchers.md" suffix(,)
#embed "../../Documentation/explanations/schemas.md" suffix(,)
#embed "../../Documentation/explanations/names.md" suffix(,)
#embed "../../Documentation/explanations/mock-files.md" suffix(,)
#embed "../../Documentation/explanations/project.md" suffix(,)
#embed "../../Documentation/explanations/lint.md" suffix(,)
#embed "../../Documentation/explanations/failures.md" suffix(,)
#embed "../../Documentation/explanations/notices.md" suffix(,)
#embed "../../Documentation/explanations/contract-rules.md" suffix(,)
#embed "../../Documentation/explanations/descriptions.md"
};
ASSET(c_asset_explanations, explanations)

static const unsigned char changes[] = {
#embed "changes/examples.yaml"
};
ASSET(c_asset_change_examples, changes)
