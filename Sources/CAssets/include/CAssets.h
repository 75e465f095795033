#pragma once

#include <stddef.h>

/// A file that is embedded in the program.
typedef struct {
    const unsigned char *_Nonnull bytes;
    size_t count;
} CAsset __attribute__((swift_name("Asset")));

// The HTML report: see report/.
CAsset c_asset_report_markup(void) __attribute__((swift_name("getter:Asset.reportMarkup()")));
CAsset c_asset_report_script(void) __attribute__((swift_name("getter:Asset.reportScript()")));
CAsset c_asset_report_light(void) __attribute__((swift_name("getter:Asset.reportLight()")));
CAsset c_asset_report_dark(void) __attribute__((swift_name("getter:Asset.reportDark()")));
CAsset c_asset_report_style(void) __attribute__((swift_name("getter:Asset.reportStyle()")));

// The style of the page that `apitest contract diff` writes.
CAsset c_asset_comparison_style(void) __attribute__((swift_name("getter:Asset.comparisonStyle()")));

// The metaschemas of JSON Schema: see metaschemas/. Those of 2019-09 and 2020-12 are objects that contain the
// metaschema
// as "schema", and the vocabularies.
CAsset c_asset_metaschema_draft4(void) __attribute__((swift_name("getter:Asset.metaschemaDraft4()")));
CAsset c_asset_metaschema_draft6(void) __attribute__((swift_name("getter:Asset.metaschemaDraft6()")));
CAsset c_asset_metaschema_draft7(void) __attribute__((swift_name("getter:Asset.metaschemaDraft7()")));
CAsset c_asset_metaschema_2019_09(void) __attribute__((swift_name("getter:Asset.metaschema201909()")));
CAsset c_asset_metaschema_2020_12(void) __attribute__((swift_name("getter:Asset.metaschema202012()")));

// The files that `apitest init` writes: see examples/starter.
CAsset c_asset_starter_suite(void) __attribute__((swift_name("getter:Asset.starterSuite()")));
CAsset c_asset_starter_mock(void) __attribute__((swift_name("getter:Asset.starterMock()")));
CAsset c_asset_starter_configuration(void) __attribute__((swift_name("getter:Asset.starterConfiguration()")));

// The Unicode Character Database 18.0: the scripts with their ranges (Scripts.txt), and the ranges that several scripts share
// (ScriptExtensions.txt). © Unicode, Inc.; used under the Unicode License v3.
CAsset c_asset_scripts(void) __attribute__((swift_name("getter:Asset.scripts()")));
CAsset c_asset_script_extensions(void) __attribute__((swift_name("getter:Asset.scriptExtensions()")));

// The lists of the expression functions fake.…, with one entry a line: see fake/.
CAsset c_asset_fake_first_names(void) __attribute__((swift_name("getter:Asset.fakeFirstNames()")));
CAsset c_asset_fake_last_names(void) __attribute__((swift_name("getter:Asset.fakeLastNames()")));
CAsset c_asset_fake_streets(void) __attribute__((swift_name("getter:Asset.fakeStreets()")));
CAsset c_asset_fake_cities(void) __attribute__((swift_name("getter:Asset.fakeCities()")));
CAsset c_asset_fake_countries(void) __attribute__((swift_name("getter:Asset.fakeCountries()")));
CAsset c_asset_fake_words(void) __attribute__((swift_name("getter:Asset.fakeWords()")));

// The named character references of HTML 4: see html/.
CAsset c_asset_html_entities(void) __attribute__((swift_name("getter:Asset.htmlEntities()")));
