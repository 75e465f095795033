curl --heder x http://a
