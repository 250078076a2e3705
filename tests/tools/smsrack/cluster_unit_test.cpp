#include "tools/smsrack/rack/cluster_unit.hpp"

#include <doctest/doctest.h>

#include <set>
#include <string>

using namespace smsrack::cli;

TEST_CASE("cluster join: the service's unit may reach these addresses and no others") {
    const std::string part = unit_part({"10.0.0.1", "fd00::1"});
    CHECK(part.contains("[Service]\n"));
    CHECK(part.contains("RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6\n"));
    CHECK(part.contains("IPAddressDeny=any\nIPAddressAllow=10.0.0.1\nIPAddressAllow=fd00::1\n"));
}

TEST_CASE("cluster join: resolvers are the name servers of resolv.conf") {
    CHECK(resolvers_in("# nameserver 1.2.3.4\nsearch lan\nnameserver 127.0.0.53\nnameserver\t"
                       "fe80::1%eth0\nnameservers 9.9.9.9\nnameserver") ==
          std::set<std::string>{"127.0.0.53", "fe80::1"});
    CHECK(resolvers_in("").empty());
}
