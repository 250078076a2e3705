#include "tools/smsrack/command_line.hpp"

#include "tools/smsrack/messages/send_command.hpp"

#include <doctest/doctest.h>

#include <initializer_list>
#include <vector>

using namespace smsrack::cli;

namespace {

Outcome<CommandLine> parsed(std::initializer_list<const char*> words) {
    std::vector<const char*> argv{"smsrack"};
    argv.insert(argv.end(), words);
    return parse_command_line(static_cast<int>(argv.size()), argv.data(), "/default.sock");
}

template <typename Options>
Options options_of(std::initializer_list<const char*> words) {
    const auto line = parsed(words);
    REQUIRE(line);
    REQUIRE(line->command.options<Options>() != nullptr);
    return *line->command.options<Options>();
}

}  // namespace

TEST_CASE("command line: --json and --socket are taken before and after the command") {
    for (const auto& words :
         {std::initializer_list<const char*>{"--json", "--socket", "/x", "status"},
          {"status", "--json", "--socket", "/x"},
          {"--socket", "/x", "modem", "show", "m0", "--json"},
          {"modem", "--json", "show", "--socket=/x", "m0"}}) {
        const auto line = parsed(words);
        REQUIRE(line);
        CHECK(line->json);
        CHECK(line->socket == "/x");
    }
    CHECK(parsed({"status"})->socket == "/default.sock");
    CHECK_FALSE(parsed({"status"})->json);
}

TEST_CASE("command line: send") {
    const auto send = options_of<SendOptions>({"send",
                                               "--to",
                                               "+33612345678",
                                               "hello",
                                               "--priority",
                                               "5",
                                               "--ttl",
                                               "60",
                                               "--no-report",
                                               "--class",
                                               "0",
                                               "--group",
                                               "g",
                                               "--not-before",
                                               "2026-01-01T00:00:00Z",
                                               "--note",
                                               "order 7",
                                               "--ref",
                                               "r",
                                               "--allow-duplicate",
                                               "--wait",
                                               "--wait-max",
                                               "7"});
    CHECK(send.to == "+33612345678");
    CHECK(send.text == "hello");
    CHECK(send.ref == "r");
    CHECK(send.wait);
    CHECK(send.wait_max == std::chrono::seconds(7));
    CHECK(send.fields.priority == 5);
    CHECK(send.fields.ttl_s == 60);
    CHECK(send.fields.report == false);
    CHECK(send.fields.message_class == 0);
    CHECK(send.fields.group == "g");
    CHECK(send.fields.not_before == "2026-01-01T00:00:00Z");
    CHECK(send.fields.note == "order 7");
    CHECK(send.fields.allow_duplicate);
    CHECK(options_of<SendOptions>({"send", "--to", "1234", "status"}).text == "status");
    CHECK(options_of<SendOptions>({"send", "--to", "1234", "-"}).text == "-");
    CHECK(options_of<SendOptions>({"send", "--to", "1234", "--", "-5 degrees"}).text ==
          "-5 degrees");
    CHECK(options_of<SendOptions>({"send", "--to", "1234", "--data", "DCBA"}).data == "DCBA");
    CHECK_FALSE(options_of<SendOptions>({"send", "--to", "1234", "x"}).fields.report.has_value());
    const auto file = options_of<SendOptions>({"send", "--file", "x.csv", "--priority", "2"});
    CHECK(file.file == "x.csv");
    CHECK(file.fields.priority == 2);
}

TEST_CASE("command line: a text that begins with a dash is sent, wherever it is") {
    struct Case {
        std::initializer_list<const char*> words;
        const char* text;
    };
    for (const Case& one : {
             Case{{"send", "--to", "1234", "-hello"}, "-hello"},
             Case{{"send", "-hello", "--to", "1234"}, "-hello"},
             Case{{"--json", "send", "--to=1234", "-x y z", "--wait"}, "-x y z"},
             Case{{"send", "--to", "1234", "-5"}, "-5"},
             Case{{"send", "--to", "1234", "-"}, "-"},
             Case{{"send", "--to", "1234", "--priority", "5", "--no way"}, "--no way"},
             Case{{"send", "--to", "1234", "--", "-h"}, "-h"},
             Case{{"--socket", "send", "send", "--to", "1234", "-hi"}, "-hi"},
         }) {
        CAPTURE(one.text);
        CHECK(options_of<SendOptions>(one.words).text == one.text);
    }
    CHECK(options_of<JustPrint>({"send", "-h"}).text.contains("--priority"));
    CHECK_FALSE(parsed({"send", "--to", "1234", "--piority", "5", "text"}));
    CHECK_FALSE(parsed({"send", "--to", "1234", "one", "-two"}));
    CHECK_FALSE(parsed({"send", "--ref", "-text", "--to", "1234"}));
}

TEST_CASE("command line: the other commands") {
    for (const auto& words : {std::initializer_list<const char*>{"cancel", "42"},
                              {"modem", "show", "42"},
                              {"modem", "resume", "42"},
                              {"optout", "add", "42"},
                              {"config", "check", "42"},
                              {"config", "show", "42"},
                              {"config", "show", "--config", "42"}}) {
        CAPTURE(*words.begin());
        CHECK(options_of<std::string>(words) == "42");
    }
    for (const char* word : {"show", "explain"}) {
        CHECK(parsed({word, "42"}));
        CHECK(parsed({word, "42", "--box", "b2"}));
        CHECK_FALSE(parsed({word, "--box", "b2"}));
    }
    CHECK_FALSE(parsed({"inbox", "--follow", "--box", "b2"}));
    CHECK(options_of<std::string>({"config", "show"}) == "/etc/smsrack/smsrack.toml");
    CHECK(options_of<std::string>({"config", "check"}) == "/etc/smsrack/smsrack.toml");
    CHECK(options_of<JustPrint>({"--version"}).text.starts_with("smsrack "));
    CHECK(options_of<JustPrint>({"send", "--help"}).text.contains("--priority"));
}

TEST_CASE("command line: wrong usage is said, and where help is") {
    for (const auto& words : {std::initializer_list<const char*>{},
                              {"sned"},
                              {"--bogus"},
                              {"send"},
                              {"send", "text"},
                              {"send", "--to", "1234"},
                              {"send", "--to", "1234", "x", "--data", "00"},
                              {"send", "--to", "1234", "x", "--file", "f"},
                              {"send", "--to", "1", "x", "y"},
                              {"send", "--to", "1234", "x", "--priority", "7"},
                              {"send", "--to", "1234", "x", "--priority", "high"},
                              {"send", "--file", "f", "--wait"},
                              {"messages", "--state", "lost"},
                              {"messages", "--limit", "0"},
                              {"show"},
                              {"modem"},
                              {"config"},
                              {"model", "mmc", "--lambda", "1", "--mu", "1"},
                              {"model", "mmc", "--lambda", "x", "--mu", "1", "--servers", "1"},
                              {"completion", "fish"}}) {
        std::string typed;
        for (const char* word : words) {
            typed += std::string(word) + " ";
        }
        CAPTURE(typed);
        const auto line = parsed(words);
        REQUIRE_FALSE(line);
        CHECK(line.error().code == ExitCode::usage);
        CHECK(line.error().message.contains("--help"));
        CHECK_FALSE(line.error().message.contains('\n'));
    }
    CHECK(parsed({"sned"}).error().message.contains("did you mean \"send\"?"));
}

TEST_CASE("completion: the script knows every command and option") {
    const std::string script = options_of<JustPrint>({"completion", "bash"}).text;
    for (const char* word : {"send", "--priority", "modem show", "history", "config check",
                             "--target-wait", "complete -o filenames -F _smsrack smsrack"}) {
        CAPTURE(word);
        CHECK(script.contains(word));
    }
}
