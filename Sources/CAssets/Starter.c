#include "Asset.h"

static const unsigned char suite[] = {
#embed "../../examples/starter/shop.apitest.yaml"
};
ASSET(c_asset_starter_suite, suite)

static const unsigned char mock[] = {
#embed "../../examples/starter/shop.mock.yaml"
};
ASSET(c_asset_starter_mock, mock)

static const unsigned char configuration[] = {
#embed "../../examples/starter/.apitest.yaml"
};
ASSET(c_asset_starter_configuration, configuration)
