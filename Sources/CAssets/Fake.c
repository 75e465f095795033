#include "Asset.h"

// The lists of the functions fake.…, with one entry a line. The value for a seed depends on the order of the entries.
static const unsigned char first_names[] = {
#embed "fake/first-names.txt"
};
ASSET(c_asset_fake_first_names, first_names)

static const unsigned char last_names[] = {
#embed "fake/last-names.txt"
};
ASSET(c_asset_fake_last_names, last_names)

static const unsigned char streets[] = {
#embed "fake/streets.txt"
};
ASSET(c_asset_fake_streets, streets)

static const unsigned char cities[] = {
#embed "fake/cities.txt"
};
ASSET(c_asset_fake_cities, cities)

static const unsigned char countries[] = {
#embed "fake/countries.txt"
};
ASSET(c_asset_fake_countries, countries)

static const unsigned char words[] = {
#embed "fake/words.txt"
};
ASSET(c_asset_fake_words, words)
