// The parts of a browser's login: sessions, codes, the cookie, the file, and whose page asks.
#include "firmware-host/gate/cors.hpp"
#include "firmware-host/gate/session/one_time_codes.hpp"
#include "firmware-host/gate/session/same_origin.hpp"
#include "firmware-host/gate/session/secret.hpp"
#include "firmware-host/gate/session/session_cookie.hpp"
#include "firmware-host/gate/session/session_file.hpp"
#include "firmware-host/gate/session/sessions.hpp"
#include "tests/support/manual_clock.hpp"
#include "tests/support/read_file.hpp"
#include "tests/support/temp_dir.hpp"

#include <doctest/doctest.h>

#include <fmt/format.h>
#include <fstream>
#include <string>
#include <sys/stat.h>

using namespace smsrack;
using namespace smsrack::gate;
using namespace std::chrono_literals;

namespace {

constexpr SteadyTime begin{1h};

std::string hash(int number) {
    return fmt::format("{:064x}", number);
}

wire::HttpRequest request_with(std::vector<wire::HeaderField> headers,
                               std::string method = "POST") {
    return {.method = std::move(method), .path = "/v1/pause", .headers = std::move(headers)};
}

}  // namespace

TEST_CASE("Sessions: one lasts while it is used, and ends when it was unused for too long") {
    Sessions sessions(12h);
    sessions.begin("a", "token", begin);
    CHECK(sessions.use("a", begin + 11h) != nullptr);
    CHECK(sessions.use("a", begin + 22h) != nullptr);
    CHECK(sessions.is_open("a", begin + 33h));  // is no use
    CHECK_FALSE(sessions.is_open("a", begin + 34h));
    CHECK(sessions.use("a", begin + 34h) == nullptr);
    CHECK(sessions.use("b", begin) == nullptr);
    CHECK(sessions.sweep(begin + 34h, [](const std::string&) { return true; }));
    CHECK(sessions.all().empty());
}

TEST_CASE("Sessions: those of a token that does not count end with it; one alone ends by itself") {
    Sessions sessions(12h);
    sessions.begin("a", "one", begin);
    sessions.begin("b", "one", begin);
    sessions.begin("c", "two", begin);
    CHECK(sessions.sweep(begin, [](const std::string& token) { return token == "two"; }));
    CHECK_FALSE(sessions.sweep(begin, [](const std::string& token) { return token == "two"; }));
    CHECK(sessions.use("a", begin) == nullptr);
    CHECK(sessions.use("c", begin)->token == "two");
    CHECK(sessions.end("c"));
    CHECK_FALSE(sessions.end("c"));
    CHECK(sessions.use("c", begin) == nullptr);
}

TEST_CASE("Sessions: a token and all of them have a bound; the one unused longest makes room") {
    Sessions sessions(12h);
    for (int i = 0; i < 17; ++i) {
        sessions.begin(hash(i), "one", begin + i * 1s);
    }
    CHECK(sessions.all().size() == Sessions::of_token_max);
    CHECK_FALSE(sessions.is_open(hash(0), begin + 20s));
    CHECK(sessions.is_open(hash(1), begin + 20s));
    for (int i = 100; sessions.all().size() < Sessions::sessions_max; ++i) {
        sessions.begin(hash(i), fmt::format("token {}", i / 10), begin + 1min);
    }
    sessions.begin(hash(10'000), "another", begin + 2min);
    CHECK(sessions.all().size() == Sessions::sessions_max);
    CHECK_FALSE(sessions.is_open(hash(1), begin + 2min));
    CHECK(sessions.is_open(hash(10'000), begin + 2min));
}

TEST_CASE("OneTimeCodes: a code counts once, for a minute; the newest few are known") {
    OneTimeCodes codes;
    const auto use = [&](const std::string& code, SteadyTime at) {
        const auto taken = codes.take(code, at);
        if (taken) {
            taken->use();
        }
        return taken != nullptr;
    };
    codes.add("a", begin);
    codes.add("b", begin);
    CHECK_FALSE(use("c", begin));
    CHECK(use("a", begin + 59s));
    CHECK_FALSE(use("a", begin + 59s));
    CHECK_FALSE(use("b", begin + 60s));
    for (int i = 0; i <= 8; ++i) {
        codes.add(hash(i), begin);
    }
    CHECK_FALSE(use(hash(0), begin));
    CHECK(use(hash(1), begin));
    CHECK(use(hash(8), begin));
}

TEST_CASE(
    "OneTimeCodes: a login that does not begin gives its code back, within the code's minute") {
    OneTimeCodes codes;
    codes.add("a", begin);
    {
        const auto taken = codes.take("a", begin + 1s);
        CHECK(taken != nullptr);
        CHECK(codes.take("a", begin + 1s) == nullptr);  // meanwhile
    }
    CHECK(codes.take("a", begin + 59s) != nullptr);
    CHECK(codes.take("a", begin + 60s) == nullptr);
}

TEST_CASE("SessionCookie: is for this host alone, and no script reads it") {
    CHECK(SessionCookie::over(true).set("ab") ==
          "__Host-smsrack=ab; Path=/; Max-Age=34560000; HttpOnly; SameSite=Strict; Secure");
    CHECK(SessionCookie::over(false).set("ab") ==
          "smsrack=ab; Path=/; Max-Age=34560000; HttpOnly; SameSite=Strict");
    CHECK(SessionCookie::over(true).clear() ==
          "__Host-smsrack=; Path=/; Max-Age=0; HttpOnly; SameSite=Strict; Secure");
    const SessionCookie own = SessionCookie::of_own(0xabc);
    CHECK(own.set("ab") == "smsrack-00000abc=ab; Path=/; HttpOnly; SameSite=Strict");
    CHECK(own.clear() == "smsrack-00000abc=; Path=/; Max-Age=0; HttpOnly; SameSite=Strict");
    struct Case {
        const char* cookie;
        const char* value;
    };
    const SessionCookie cookie = SessionCookie::over(false);
    for (const Case& it :
         {Case{"smsrack=ab", "ab"}, Case{"a=1; smsrack=ab; b=2", "ab"},
          Case{"a=1;smsrack=ab", "ab"}, Case{"xsmsrack=ab", ""}, Case{"smsrackx=ab", ""},
          Case{"smsrack", ""}, Case{"", ""}, Case{"__Host-smsrack=ab", ""}, Case{"smsrack=", ""},
          Case{";;; ;", ""}, Case{"a=smsrack=ab", ""}, Case{"smsrack=ab; smsrack=ab", "ab"},
          Case{"smsrack=ab; smsrack=cd", ""}}) {
        CAPTURE(it.cookie);
        CHECK(cookie.value_in(request_with({{"cookie", it.cookie}})) == it.value);
    }
    CHECK(cookie.value_in(request_with({})).empty());
    CHECK(cookie.value_in(request_with({{"cookie", "a=1"}, {"cookie", "smsrack=ab"}})) == "ab");
    CHECK(cookie.value_in(request_with({{"cookie", "smsrack=cd"}, {"cookie", "smsrack=ab"}}))
              .empty());
}

TEST_CASE("may_change: a change with a browser's login is for the gate's own page alone") {
    const wire::HeaderField json{"content-type", "application/json"};
    const wire::HeaderField same{"sec-fetch-site", "same-origin"};
    const wire::HeaderField host{"host", "box:8775"};
    struct Case {
        const char* what;
        std::vector<wire::HeaderField> headers;
        bool over_tls;
        bool behind_proxy;  // the gate itself ends no TLS
    };
    for (const Case& it : {
             Case{"the page", {json, same}, true, true},
             Case{"with a charset",
                  {{"content-type", "application/json; charset=utf-8"}, same},
                  true,
                  true},
             Case{"lines", {{"content-type", "application/x-ndjson"}, same}, true, true},
             Case{"a form", {{"content-type", "text/plain"}, same}, false, false},
             Case{"no content type", {same}, false, false},
             Case{"another site", {json, {"sec-fetch-site", "cross-site"}}, false, false},
             Case{"another port of this host",
                  {json, {"sec-fetch-site", "same-site"}},
                  false,
                  false},
             Case{"an address that was typed", {json, {"sec-fetch-site", "none"}}, false, false},
             Case{"nothing shows it", {json, host}, false, false},
             Case{"an older browser", {json, host, {"origin", "https://box:8775"}}, true, true},
             Case{"without TLS", {json, host, {"origin", "http://box:8775"}}, false, true},
             Case{"another origin", {json, host, {"origin", "https://evil"}}, false, false},
             Case{"another port", {json, host, {"origin", "https://box:8776"}}, false, false},
             Case{"a hidden origin", {json, host, {"origin", "null"}}, false, false},
             Case{"no host", {json, {"origin", "https://"}}, false, false},
             Case{"the browser knows better",
                  {json, host, {"origin", "https://box:8775"}, {"sec-fetch-site", "cross-site"}},
                  false,
                  false},
         }) {
        CAPTURE(it.what);
        CHECK(may_change(request_with(it.headers), true).has_value() == it.over_tls);
        CHECK(may_change(request_with(it.headers), false).has_value() == it.behind_proxy);
    }
    const auto refused = may_change(request_with({json}), true);
    REQUIRE_FALSE(refused);
    CHECK(refused.error().code == Errc::forbidden);
}

TEST_CASE("CORS: pages of a site that is named may call; the others get no word of it") {
    const std::vector<std::string> origins{"https://shop.example"};
    const auto named = request_with({{"origin", "https://shop.example"}}, "OPTIONS");
    const auto other = request_with({{"origin", "https://evil.example"}}, "OPTIONS");
    CHECK(allowed_origin(named, origins) == "https://shop.example");
    CHECK(allowed_origin(other, origins).empty());
    CHECK(allowed_origin(request_with({}), {""}).empty());
    CHECK(preflight_answer(named, origins)->status == 200);
    CHECK_FALSE(preflight_answer(other, origins));
    CHECK_FALSE(preflight_answer(named, {}));
    CHECK_FALSE(preflight_answer(request_with({{"origin", "https://shop.example"}}), origins));
    wire::HttpResponse response;
    add_cors_headers(response, "");
    CHECK(response.headers.empty());
    add_cors_headers(response, "https://shop.example");
    CHECK(response.headers.front().value == "https://shop.example");
}

TEST_CASE("SessionFile: logins are the same after a restart, and the time between counts") {
    const test::TempDir folder;
    const std::string path = (folder.path() / "logins").string();
    test::ManualClock clock;
    const SessionFile file(path, clock);
    Sessions before(12h);
    before.begin(hash(1), hash(101), clock.steady());
    clock.advance(3h);
    before.begin(hash(2), hash(102), clock.steady());
    REQUIRE(file.save(before));
    struct stat status {};
    REQUIRE(::stat(path.c_str(), &status) == 0);
    CHECK((status.st_mode & 0777U) == 0600U);

    clock.advance(8h + 59min);
    Sessions after(12h);
    file.load(after);
    CHECK(after.use(hash(1), clock.steady())->token == hash(101));
    CHECK(after.use(hash(2), clock.steady())->token == hash(102));
    clock.advance(2min);
    Sessions late(12h);
    file.load(late);
    CHECK(late.use(hash(1), clock.steady()) == nullptr);
    CHECK(late.use(hash(2), clock.steady()) != nullptr);
}

TEST_CASE("SessionFile: what no gate wrote has no sessions; a time to come counts as now") {
    const test::TempDir folder;
    const std::string path = (folder.path() / "logins").string();
    test::ManualClock clock;
    const SessionFile file(path, clock);
    Sessions sessions(12h);
    file.load(sessions);  // there is none
    std::ofstream(path) << "word\n\n"
                        << hash(1) << " short 5\n"
                        << hash(2) << ' ' << hash(3) << " 9223372036854775807\n"
                        << hash(4) << ' ' << hash(5) << " -9223372036854775808\n"
                        << hash(6) << ' ' << hash(7);
    file.load(sessions);
    CHECK(sessions.is_open(hash(2), clock.steady() + 11h));
    CHECK_FALSE(sessions.is_open(hash(4), clock.steady()));
    for (const int number : {1, 6}) {
        CHECK_FALSE(sessions.is_open(hash(number), clock.steady()));
    }
    const SessionFile nowhere((folder.path() / "no" / "logins").string(), clock);
    CHECK(nowhere.save(sessions).error().code == Errc::storage);
}

TEST_CASE("new_secret: 256 bits, never the same") {
    const std::string one = new_secret();
    CHECK(one.size() == 64);
    CHECK(one.find_first_not_of("0123456789abcdef") == std::string::npos);
    CHECK(one != new_secret());
}
