curl --data-urlencode 'a=b c' --data-urlencode '=d' --data-urlencode e@f --json '[1,' --json 2] --url-query x=y http://a
