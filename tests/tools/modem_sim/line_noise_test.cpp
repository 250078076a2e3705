// What a line does to an answer: each place where it can be cut, cut.
#include "tests/tools/modem_sim/rig.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>
#include <string>

using namespace smsrack;
using namespace std::chrono_literals;
using modem_sim::FaultKind;
using test::Rig;

namespace {

constexpr int many = 3'000;  // answers: each of some thirty places is hit
constexpr std::string_view registered = "\r\n+CREG: 1\r\n";
constexpr std::string_view wind = "\r\n+WIND: 13\r\n";

/// `text` with this URC taken out of its middle; empty where it is not inside.
std::string without(const std::string& text, std::string_view urc) {
    const auto at = text.find(urc);
    const bool inside = at != std::string::npos && at > 0 && at + urc.size() < text.size();
    return inside ? text.substr(0, at) + text.substr(at + urc.size()) : std::string();
}

/// Whether `rest` is `whole` without some octets in a row, and how many.
int lost_of(const std::string& whole, const std::string& rest) {
    for (std::size_t head = 0; head <= rest.size(); ++head) {
        const std::string tail = rest.substr(head);
        if (whole.starts_with(rest.substr(0, head)) && whole.ends_with(tail)) {
            return static_cast<int>(whole.size() - rest.size());
        }
    }
    return -1;
}

std::string answer_to(const test::RememberingJournal::Submit& submit) {
    return "\r\n+CMGS: " + std::to_string(submit.mr) + "\r\n\r\nOK\r\n";
}

}  // namespace

TEST_CASE("urc_inside: two URCs in turns, at each octet of an answer") {
    Rig rig;
    rig.inject({.kind = FaultKind::urc_inside, .count = many, .code = 100});
    std::set<std::size_t> places;
    const std::string whole = "\r\n+CSQ: 17,0\r\n\r\nOK\r\n";
    for (int i = 0; i < many; ++i) {
        std::string answer = rig.at("AT+CSQ");
        const std::string_view urc = i % 2 == 0 ? registered : wind;
        places.insert(answer.find(urc));
        answer = without(answer, urc);
        REQUIRE(answer.substr(0, 8) == whole.substr(0, 8));
        REQUIRE(answer.ends_with(",0\r\n\r\nOK\r\n"));
    }
    CHECK(places.size() == whole.size() - 1);
    CHECK(rig.at("AT") == "\r\nOK\r\n");
}

TEST_CASE("urc_inside: OK becomes O and K, a reference becomes two, a PDU is cut") {
    struct Case {
        const char* what;
        const char* command;
        const char* torn;
    };
    for (const Case& c : {Case{"OK", "AT", "\r\nO\r\n+"}, Case{"PDU", "AT+CMGR=1", "0791\r\n+"},
                          Case{"header", "AT+CMGL=4", "+CMG\r\n+"}}) {
        CAPTURE(c.what);
        Rig rig;
        rig.receive("hello");
        rig.inject({.kind = FaultKind::urc_inside, .count = many, .code = 100});
        bool seen = false;
        for (int i = 0; i < many && !seen; ++i) {
            seen = rig.at(c.command).find(c.torn) != std::string::npos;
        }
        CHECK(seen);
    }
}

TEST_CASE("urc_inside and lose_octets: the answer to a submit too, by the chance that is said") {
    for (const auto kind : {FaultKind::urc_inside, FaultKind::lose_octets}) {
        Rig rig{{.report_delay = std::nullopt}};
        rig.inject({.kind = kind, .count = 1'000, .code = 30});
        int torn = 0;
        for (int i = 0; i < 1'000; ++i) {
            const std::string answer = rig.send();  // the prompt is no answer
            torn += answer == answer_to(rig.journal.submits.back()) ? 0 : 1;
        }
        CHECK(torn > 220);
        CHECK(torn < 380);
        (void)rig.at("AT");
        CHECK(rig.at("AT") == "\r\nOK\r\n");  // all were used, hit or not
    }
}

TEST_CASE("lose_octets: one to six in a row, anywhere") {
    Rig rig;
    rig.receive("hello");
    const std::string whole = [&] {
        (void)rig.at("AT+CMGR=1");  // read from now on
        return rig.at("AT+CMGR=1");
    }();
    rig.inject({.kind = FaultKind::lose_octets, .count = many, .code = 100});
    std::set<int> lost;
    for (int i = 0; i < many; ++i) {
        lost.insert(lost_of(whole, rig.at("AT+CMGR=1")));
    }
    CHECK(lost == std::set<int>{1, 2, 3, 4, 5, 6});
    CHECK(rig.at("AT+CMGR=1") == whole);
}

TEST_CASE("torn_reference: the last digit is lost, or a URC cuts it off; the network knows it") {
    Rig rig{{.report_delay = std::nullopt}};
    rig.inject({.kind = FaultKind::torn_reference, .count = 100});
    int lost = 0;
    int cut = 0;
    for (int i = 0; i < 100; ++i) {
        const std::string answer = rig.send();
        const std::string mr = std::to_string(rig.journal.submits.back().mr);
        const std::string head = "\r\n+CMGS: " + mr.substr(0, mr.size() - 1);
        lost += answer == head + "\r\n\r\nOK\r\n" ? 1 : 0;
        for (const auto urc : {registered, wind}) {
            cut += answer == head + std::string(urc) + mr.back() + "\r\n\r\nOK\r\n" ? 1 : 0;
        }
    }
    CHECK(lost + cut == 100);
    CHECK(lost > 20);
    CHECK(cut > 20);
    const std::string whole = rig.send();
    CHECK(whole == answer_to(rig.journal.submits.back()));
}

TEST_CASE("torn_list_end: the OK of a listing, and of nothing else") {
    Rig rig;
    rig.receive("hello");
    (void)rig.model.take_output();
    rig.inject({.kind = FaultKind::torn_list_end});
    CHECK(rig.at("AT") == "\r\nOK\r\n");
    const std::string listing = rig.at("AT+CMGL=4");
    CHECK(listing.starts_with("\r\n+CMGL: 1,0,,"));
    CHECK(listing.ends_with("\r\n\r\nO\r\n+CREG: 1\r\nK\r\n"));
    CHECK(rig.at("AT+CMGL=4").ends_with("\r\n\r\nOK\r\n"));
}
