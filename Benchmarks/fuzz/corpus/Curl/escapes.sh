curl $'http://a/\x41\u00e9\101' -d $'a\n\'b'
