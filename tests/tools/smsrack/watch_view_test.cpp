#include "tools/smsrack/rack/watch_view.hpp"

#include "tools/smsrack/screen/console.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <fmt/format.h>
#include <string>

using namespace smsrack;
using namespace smsrack::cli;

namespace {

constexpr ScreenSize usual{.rows = 24, .columns = 80};

wire::Json json(const std::string& text) {
    return *wire::parse_json(text);
}

RackPicture picture(unsigned modems) {
    RackPicture picture{
        .at = "2026-11-21T12:03:04.000Z",
        .status = json(
            R"({"version":"1.2.3","uptime_s":90061,"ready":true,"rate_in":1.5,"rate_out":0.5,
                "messages":{"queued":7,"sending":2,"uncertain":0,"sent":5,"delivered":90,"failed":1},
                "levels":[{"level":0,"depth":3,"t_recent_ms":1500,"sla_ms":60000}],
                "groups":[{"name":"default","able":2,"lines":3,"rate":1.5,"levels":[
                    {"level":0,"ahead":3,"expected_ms":9000,"refuses":true},
                    {"level":1,"ahead":0,"expected_ms":100,"refuses":false}]}]})")};
    for (unsigned i = 0; i < modems; ++i) {
        const char* link = i % 3 == 0 ? "active" : i % 3 == 1 ? "pending" : "stop";
        picture.modems.push_back(
            {{"name", fmt::format("m{}", i)}, {"link", link}, {"manual", "open"}, {"accepted", i}});
    }
    picture.messages = json(R"([{"id":"9","to":"+33612345678","state":"failed","code":"cms_500"},
                                {"id":"8","to":"+33612345679","state":"delivered"}])");
    return picture;
}

std::string text_of_screen(const std::vector<ScreenLine>& lines) {
    std::string text;
    for (const ScreenLine& line : lines) {
        text += line.text + "\n";
    }
    return text;
}

Ink ink_of(const std::vector<ScreenLine>& lines, std::string_view part) {
    const auto line = std::ranges::find_if(
        lines, [part](const ScreenLine& one) { return one.text.contains(part); });
    REQUIRE(line != lines.end());
    return line->ink;
}

std::vector<ScreenLine> screen_of(const RackPicture& picture, WatchChoice choice,
                                  ScreenSize size = usual, std::string_view trouble = "") {
    return watch_screen(picture, trouble, size, TimeStyle{}, choice);
}

}  // namespace

TEST_CASE("watch: one screen says what an operator asks first") {
    const auto lines = screen_of(picture(3), {});
    const std::string text = text_of_screen(lines);
    for (const char* part :
         {"smsrack 1.2.3  ready  up 1 d 01:01:01", "12:03:04 UTC", "in 1.5/s", "queued 7",
          "uncertain 0", "failed 1", "LEVEL", "1.5 s", "1 of 3 active", "m0", "m2", "q leave"}) {
        CAPTURE(part);
        CHECK(text.contains(part));
    }
    CHECK(ink_of(lines, "m0 ") == Ink::plain);
    CHECK(ink_of(lines, "m1 ") == Ink::warning);
    CHECK(ink_of(lines, "m2 ") == Ink::bad);
}

TEST_CASE("watch: whatever the size, no line is too many or too long") {
    RackPicture many = picture(200);
    for (unsigned i = 0; i < 9; ++i) {
        many.status["conditions"].push_back(
            {{"condition", "disk_full"}, {"text", std::string(200, 'x')}});
    }
    for (std::size_t rows = 1; rows < 60; rows += 3) {
        for (std::size_t columns = 10; columns < 200; columns += 13) {
            for (const auto pane : {WatchPane::modems, WatchPane::messages, WatchPane::groups}) {
                CAPTURE(rows);
                CAPTURE(columns);
                const auto lines = screen_of(many, {.pane = pane},
                                             {.rows = rows, .columns = columns}, "No answer");
                CHECK(lines.size() <= rows);
            }
        }
    }
    CHECK(text_of_screen(screen_of(many, {}, {.rows = 5, .columns = 80})).contains("is needed"));
}

TEST_CASE("watch: keys choose, scroll within what there is, and leave") {
    WatchChoice choice;
    const RackPicture many = picture(100);
    const auto press = [&](const Key& key) { return apply(key, usual.rows, choice); };
    const auto screen = [&] {
        return text_of_screen(watch_screen(many, "", usual, TimeStyle{}, choice));
    };
    CHECK(screen().contains("rows 1 to "));
    CHECK(press({.kind = KeyKind::end}) == WatchOrder::none);
    CHECK(screen().contains("m99 "));
    CHECK(press({.kind = KeyKind::up}) == WatchOrder::none);
    CHECK_FALSE(screen().contains("m99 "));
    (void)press({.kind = KeyKind::home});
    CHECK(screen().contains("m0 "));
    (void)press({.kind = KeyKind::page_up});
    CHECK(screen().contains("m0 "));
    (void)press({.kind = KeyKind::page_down});
    CHECK_FALSE(screen().contains("m0 "));
    (void)press({.kind = KeyKind::tab});
    CHECK(screen().contains("+33612345678"));
    (void)press({.letter = 't'});
    CHECK(screen().contains("+33612345678"));
    CHECK_FALSE(screen().contains("+33612345679"));
    (void)press({.letter = '3'});
    CHECK(screen().contains("no: overloaded"));
    CHECK_FALSE(screen().contains("yes"));
    (void)press({.letter = '?'});
    CHECK(screen().contains("scroll a row"));
    (void)press({.letter = '?'});
    (void)press({.letter = ' '});
    CHECK(choice.held);
    CHECK(screen().contains("held at 12:03:04"));
    CHECK(press({.letter = ' '}) == WatchOrder::refresh);
    CHECK(press({.letter = 'r'}) == WatchOrder::refresh);
    CHECK(press({.letter = 'x'}) == WatchOrder::none);
    CHECK(press({.letter = 'q'}) == WatchOrder::leave);
}

TEST_CASE("watch: an old picture, what is wrong and pauses stand before everything else") {
    RackPicture paused = picture(1);
    paused.status["ready"] = false;
    paused.status["pauses"] =
        json(R"([{"scope":"batch","name":"b","since":"2026-11-21T12:00:00.000Z"},
                 {"scope":"rack","name":null,"since":"2026-11-21T12:00:00.000Z"}])");
    paused.status["conditions"] = json(
        R"([{"condition":"rack_paused","text":"the rack is paused","since":"2026-11-21T12:00:00.000Z",
             "advice":"resume"},{"condition":"c","text":"d"},{"condition":"e","text":"f"}])");
    const auto lines = screen_of(paused, {}, usual, "No answer; this is the state of 12:03:04.");
    CHECK(lines[0].text.contains("NOT READY"));
    CHECK(lines[2].text.starts_with("No answer"));
    CHECK(lines[2].ink == Ink::bad);
    CHECK(lines[3].text == "rack_paused: the rack is paused (since 2026-11-21 12:00:00) -> resume");
    CHECK(lines[4].text.contains("and 3 more"));
}

TEST_CASE("watch: an empty rack is no blank screen") {
    CHECK(text_of_screen(screen_of({}, {})).contains("There is nothing to show yet."));
    WatchChoice only_trouble{.only_trouble = true};
    RackPicture well = picture(1);
    CHECK(text_of_screen(screen_of(well, only_trouble)).contains("Nothing is in trouble."));
}
