#include "src/smpp/account.hpp"

#include <doctest/doctest.h>

#include <string>
#include <string_view>

using namespace smsrack;
using namespace smsrack::smpp;

namespace {

constexpr std::string_view hash = "$y$j9T$abc$def";

Result<Account> read(std::string_view options) {
    return account_of("shop", hash, options);
}

}  // namespace

TEST_CASE("smpp accounts: a line has a name, a hash and options") {
    const auto accounts =
        accounts_of("# of the shop\n\nshop $y$a$b$c rate=10 mo=all bind=tx,rx\r\nbank $y$a\n");
    REQUIRE(accounts);
    REQUIRE(accounts->size() == 2);
    const Account& shop = accounts->front();
    CHECK(shop.name == "shop");
    CHECK(shop.hash == "$y$a$b$c");
    CHECK(shop.rate == 10);
    CHECK(shop.incoming == Incoming::all);
    CHECK(shop.transmits);
    CHECK_FALSE(shop.transceives);
    CHECK(accounts->back() == Account{.name = "bank", .hash = "$y$a"});
}

TEST_CASE("smpp accounts: each option is understood") {
    const auto account = read(
        "sessions=2 window=7 from=192.0.2.0/24,2001:db8::/32 dcs0=latin1 dcs1=gsm7 level=2 "
        "levels=0,1,2,6 group=fast source=own mo=none mo_parts=yes unreported=unknown tls=yes");
    REQUIRE(account);
    CHECK(account->sessions == 2);
    CHECK(account->window == 7);
    REQUIRE(account->from.size() == 2);
    CHECK(account->from[0].contains(*config::ip_address_of("192.0.2.200")));
    CHECK_FALSE(account->from[0].contains(*config::ip_address_of("192.0.3.1")));
    CHECK(account->from[1].contains(*config::ip_address_of("2001:db8:1::5")));
    CHECK_FALSE(account->from[1].contains(*config::ip_address_of("2001:db9::5")));
    CHECK(account->dcs0 == Coding::latin1);
    CHECK(account->dcs1 == Coding::gsm7);
    CHECK(account->level == 2);
    CHECK(account->levels == std::array{0, 1, 2, 6});
    CHECK(account->group == "fast");
    CHECK(account->own_source);
    CHECK(account->incoming == Incoming::none);
    CHECK(account->incoming_parts);
    CHECK(account->unreported_unknown);
    CHECK(account->needs_tls);
}

TEST_CASE("smpp accounts: a wrong option says what it must be") {
    struct Case {
        std::string_view options;
        std::string_view says;
    };
    for (const auto& [options, says] :
         {Case{"window=0", "window: must be 1 to 1000"}, Case{"rate=-1", "rate: must be"},
          Case{"bind=all", "bind: must be"}, Case{"from=192.0.2.1/24", "from: must be"},
          Case{"levels=1,2,3", "levels: must be four"}, Case{"levels=1,2,3,4,5", "levels: must be"},
          Case{"source=any", "source: must be ignore or own"},
          Case{"level=7", "level: must be 0 to 6"},
          Case{"dcs1=utf8", "dcs1: must be ascii or gsm7"}, Case{"tls=1", "tls: must be yes or no"},
          Case{"windows=3", "an option that is not known; these are: sessions, window"}}) {
        CAPTURE(options);
        const auto account = read(options);
        REQUIRE_FALSE(account);
        CHECK(account.error().context.find(says) != std::string::npos);
    }
}

TEST_CASE("smpp accounts: a fault of a file names its line and never quotes it") {
    for (const std::string_view file :
         {"a $y$secret\na $y$secret\n", "# x\na b c $y$secret\n",
          "ok $y$a\nnamewithmorethan15 $y$secret\n", "ok $y$a\nb secret\n"}) {
        CAPTURE(file);
        const auto accounts = accounts_of(file);
        REQUIRE_FALSE(accounts);
        CHECK(accounts.error().context.starts_with("line 2: "));
        CHECK(accounts.error().context.find("secret") == std::string::npos);
    }
}
