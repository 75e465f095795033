curl -sSLkXPUT -HA:b -d@f -uu:p -mo http://a
