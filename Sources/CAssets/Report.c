#include "Asset.h"

static const unsigned char markup[] = {
#embed "report/markup.html"
};
ASSET(c_asset_report_markup, markup)

// The reporter encloses the files of the script in one common scope.
static const unsigned char script[] = {
#embed "report/core.js"
    , '\n',
#embed "report/list.js"
    , '\n',
#embed "report/overview.js"
    , '\n',
#embed "report/timeline.js"
    , '\n',
#embed "report/exchange.js"
    , '\n',
#embed "report/detail.js"
    , '\n',
#embed "report/strip.js"
    , '\n',
#embed "report/load.js"
    , '\n',
#embed "report/app.js"
};
ASSET(c_asset_report_script, script)

static const unsigned char light[] = {
#embed "report/light.css"
};
ASSET(c_asset_report_light, light)

static const unsigned char dark[] = {
#embed "report/dark.css"
};
ASSET(c_asset_report_dark, dark)

static const unsigned char style[] = {
#embed "report/base.css"
    ,
#embed "report/overview.css"
    ,
#embed "report/detail.css"
    ,
#embed "report/load.css"
    ,
#embed "report/small.css"
};
ASSET(c_asset_report_style, style)

static const unsigned char changes[] = {
#embed "report/changes.css"
};
ASSET(c_asset_comparison_style, changes)
