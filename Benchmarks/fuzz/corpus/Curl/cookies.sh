curl -c j http://a
curl -b j -b 'a=b; c=d' http://a
