curl 'http://a
