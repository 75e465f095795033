curl "http://a/$X?b=${Y:-c}" -H "A: \"b\""
