#include "Asset.h"

static const unsigned char draft_4[] = {
#embed "metaschemas/draft-04.json"
};
ASSET(c_asset_metaschema_draft4, draft_4)

static const unsigned char draft_6[] = {
#embed "metaschemas/draft-06.json"
};
ASSET(c_asset_metaschema_draft6, draft_6)

static const unsigned char draft_7[] = {
#embed "metaschemas/draft-07.json"
};
ASSET(c_asset_metaschema_draft7, draft_7)

static const unsigned char draft_2019_09[] = {
#embed "metaschemas/draft-2019-09.json"
};
ASSET(c_asset_metaschema_2019_09, draft_2019_09)

static const unsigned char draft_2020_12[] = {
#embed "metaschemas/draft-2020-12.json"
};
ASSET(c_asset_metaschema_2020_12, draft_2020_12)
