#include "Asset.h"

// A line for each named character reference of HTML 4, and `apos`: its name, and its code point in hexadecimal.
static const unsigned char entities[] = {
#embed "html/entities.txt"
};
ASSET(c_asset_html_entities, entities)
