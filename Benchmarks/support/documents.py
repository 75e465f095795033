"""JSON documents modeled on the usual parser benchmarks, always the same."""

import json
import random

SEED = 8259

JAPANESE = "今日は天気がいいので散歩に行きました新しい本を買ってとても面白いですねありがとうございます東京大阪京都の桜まつり"
WORDS = ("dune sand worm spice desert water planet house emperor guild navigator sister fremen storm rock crysknife "
         "mentat duke baron ornithopter sietch melange prophecy caladan arrakis").split()


def write_all(directory):
    """Writes the documents to a directory and returns (name, path, description) of each."""
    documents = (
        ("twitter", "search results: users, text in several scripts, escapes, nested entities, indented", twitter),
        ("canada", "coordinates: 111,000 numbers of 15 to 18 digits", canada),
        ("citm", "a catalog: many small objects with the same names, integers, indented", citm),
        ("page", "the answer of an API: 20 books in one line", page),
    )
    result = []
    for name, description, make in documents:
        path = f"{directory}/{name}.json"
        with open(path, "w", encoding="utf-8") as file:
            file.write(make(random.Random(f"{SEED} {name}")))
        result.append((name, path, description))
    return result


def japanese(source, length):
    start = source.randrange(len(JAPANESE))
    return (JAPANESE * 4)[start:start + length]


def words(source, count):
    return " ".join(source.choice(WORDS) for _ in range(count))


def digits(source, count):
    return str(source.randrange(10 ** (count - 1), 10 ** count))


# twitter.json: 100 results of a search.

def twitter(source):
    document = {
        "statuses": [status(source, source.random() < 0.6) for _ in range(100)],
        "search_metadata": {
            "completed_in": 0.087, "max_id": 505874924095815681, "max_id_str": "505874924095815681",
            "next_results": "?max_id=505874847260352512&q=%E4%B8%80&count=100&include_entities=1",
            "query": "%E4%B8%80", "refresh_url": "?since_id=505874924095815681&q=%E4%B8%80&include_entities=1",
            "count": 100, "since_id": 0, "since_id_str": "0"},
    }
    return json.dumps(document, ensure_ascii=False, indent=2).replace("/", "\\/")


def status(source, is_retweet):
    number = digits(source, 18)
    text = "@" + source.choice(WORDS) + digits(source, 4) + " " + (
        japanese(source, source.randrange(20, 100)) if source.random() < 0.75 else words(source, 14))
    if source.random() < 0.4:
        text += "\n\n「" + japanese(source, 20) + "」\n#" + source.choice(WORDS)
    if source.random() < 0.3:
        text += " \"" + words(source, 3) + "\" http://t.co/" + digits(source, 10)
    result = {
        "metadata": {"result_type": "recent", "iso_language_code": "ja"},
        "created_at": f"Sun Aug 31 00:{source.randrange(10, 60)}:{source.randrange(10, 60)} +0000 2014",
        "id": int(number), "id_str": number, "text": text,
        "source": "<a href=\"http://twitter.com/download/" + source.choice(("iphone", "android"))
                  + "\" rel=\"nofollow\">Twitter for " + source.choice(("iPhone", "Android")) + "</a>",
        "truncated": False, "in_reply_to_status_id": None, "in_reply_to_status_id_str": None,
        "in_reply_to_user_id": None, "in_reply_to_user_id_str": None, "in_reply_to_screen_name": None,
        "user": user(source), "geo": None, "coordinates": None, "place": None, "contributors": None,
    }
    if is_retweet:
        result["retweeted_status"] = status(source, False)
    result |= {
        "retweet_count": source.randrange(1000), "favorite_count": source.randrange(1000),
        "entities": {
            "hashtags": [{"text": source.choice(WORDS), "indices": [source.randrange(60), source.randrange(60, 140)]}
                         for _ in range(source.randrange(3))],
            "symbols": [],
            "urls": [{
                "url": f"http://t.co/{digits(source, 10)}", "expanded_url": f"http://example.jp/entry/{digits(source, 12)}",
                "display_url": "example.jp/entry/" + digits(source, 4) + "…", "indices": [20, 42]}
                for _ in range(source.randrange(2))],
            "user_mentions": [{
                "screen_name": source.choice(WORDS) + digits(source, 3), "name": japanese(source, 6),
                "id": int(digits(source, 9)), "id_str": digits(source, 9), "indices": [3, 15]}
                for _ in range(source.randrange(3))],
        },
        "favorited": False, "retweeted": False, "lang": "ja",
    }
    return result


def user(source):
    number = digits(source, source.choice((8, 9, 10)))
    image = f"http://pbs.twimg.com/profile_images/{digits(source, 18)}/{source.choice(WORDS)}_normal.jpeg"
    return {
        "id": int(number), "id_str": number, "name": japanese(source, source.randrange(3, 12)),
        "screen_name": source.choice(WORDS) + digits(source, 5),
        "location": japanese(source, 4) if source.random() < 0.5 else "",
        "description": japanese(source, source.randrange(10, 120)), "url": None,
        "entities": {"description": {"urls": []}}, "protected": False,
        "followers_count": source.randrange(5000), "friends_count": source.randrange(5000),
        "listed_count": source.randrange(50), "created_at": "Wed Oct 06 05:12:58 +0000 2010",
        "favourites_count": source.randrange(20000), "utc_offset": 32400, "time_zone": "Tokyo", "geo_enabled": True,
        "verified": False, "statuses_count": source.randrange(90000), "lang": "ja", "contributors_enabled": False,
        "is_translator": False, "is_translation_enabled": False, "profile_background_color": "C0DEED",
        "profile_background_image_url": "http://abs.twimg.com/images/themes/theme1/bg.png",
        "profile_background_image_url_https": "https://abs.twimg.com/images/themes/theme1/bg.png",
        "profile_background_tile": False, "profile_image_url": image,
        "profile_image_url_https": image.replace("http:", "https:"),
        "profile_banner_url": f"https://pbs.twimg.com/profile_banners/{number}/{digits(source, 10)}",
        "profile_link_color": "0084B4", "profile_sidebar_border_color": "C0DEED",
        "profile_sidebar_fill_color": "DDEEF6", "profile_text_color": "333333", "profile_use_background_image": True,
        "default_profile": True, "default_profile_image": False, "following": False, "follow_request_sent": False,
        "notifications": False,
    }


# canada.json: the outline of a country.

def canada(source):
    rings = []
    for _ in range(480):
        # Degrees with six digits, written as the nearest doubles.
        x, y = round(source.uniform(-141, -53), 6), round(source.uniform(42, 83), 6)
        ring = []
        for _ in range(source.randrange(16, 218)):
            x, y = round(x + source.uniform(-0.02, 0.02), 6), round(y + source.uniform(-0.02, 0.02), 6)
            ring.append(f"[{x:.15f},{y:.15f}]")
        rings.append("[" + ",".join(ring) + "]")
    return ('{"type":"FeatureCollection","features":[{"type":"Feature","properties":{"name":"Canada"},"geometry":'
            '{"type":"Polygon","coordinates":[' + ",\n".join(rings) + "]}}]}\n")


# citm_catalog.json: performances, places and prices of seats.

def citm(source):
    areas = {str(205705990 + number): f"Arrière-scène {words(source, 2)}" for number in range(17)}
    audiences = {"337100890": "Abonné"}
    categories = {str(338937200 + number): f"catégorie {number}" for number in range(64)}
    events = {}
    for number in range(184):
        key = str(138586341 + number * 2)
        events[key] = {
            "description": None, "id": int(key),
            "logo": f"/images/UE0AAAAACEKo{digits(source, 4)}AAAAYxMYQ" if source.random() < 0.5 else None,
            "name": words(source, 5).title(), "subTopicIds": [337184269 + source.randrange(20) for _ in range(3)],
            "subjectCode": None, "subtitle": None, "topicIds": [324846099, 107888604]}
    performances = []
    for number in range(243):
        seats = source.sample(sorted(categories), source.randrange(3, 9))
        performances.append({
            "eventId": int(source.choice(sorted(events))), "id": 339887544 + number, "logo": None, "name": None,
            "prices": [{"amount": source.randrange(10, 200) * 500, "audienceSubCategoryId": 337100890,
                        "seatCategoryId": int(seat)} for seat in seats],
            "seatCategories": [{
                "areas": [{"areaId": int(area), "blockIds": []}
                          for area in source.sample(sorted(areas), source.randrange(6, 17))],
                "seatCategoryId": int(seat)} for seat in seats],
            "seatMapImage": None, "start": 1372701600000 + source.randrange(10 ** 9), "venueCode": "PLEYEL_PLEYEL"})
    document = {
        "areaNames": areas, "audienceSubCategoryNames": audiences, "blockNames": {}, "events": events,
        "performances": performances, "seatCategoryNames": categories, "subTopicNames": {
            str(337184262 + number): words(source, 2) for number in range(19)},
        "subjectNames": {}, "topicNames": {"107888604": "Activité", "324846098": "Type d'activité"},
        "topicSubTopics": {"107888604": [337184283, 337184263], "324846099": [337184269, 337184268]},
        "venueNames": {"PLEYEL_PLEYEL": "Salle Pleyel"}}
    return json.dumps(document, ensure_ascii=False, indent=4)


# A typical response in a test.

def page(source):
    return json.dumps({
        "items": [{
            "id": number, "title": words(source, 3).title(), "author": {"id": source.randrange(500), "name": words(source, 2)},
            "price": round(source.uniform(5, 50), 2), "inStock": source.random() < 0.8, "tags": source.sample(WORDS, 3),
            "published": f"2026-{source.randrange(10, 13)}-{source.randrange(10, 29)}T12:00:00Z"}
            for number in range(1, 21)],
        "page": 1, "pages": 17, "total": 333}, separators=(",", ":"))
