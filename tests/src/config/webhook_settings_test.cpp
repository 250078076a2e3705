#include "src/config/webhook_settings.hpp"

#include "src/config/settings.hpp"
#include "src/config/settings_show.hpp"
#include "src/sms/event.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>

using namespace smsrack;
using namespace smsrack::config;

namespace {

const std::string whole = R"([[webhook]]
name = "crm"
url = "https://crm.example/hook?key=1"
events = ["message.received", "message.delivered"]
secret = { file = "/etc/smsrack/hook.key" }
key = { file = "/etc/smsrack/hook.ed25519" }
client = "billing"
text = false
ca = "/etc/ssl/own.pem"
timeout_s = 16
parallel = 5
retry_h = 49
keep_days = 31
since = "2026-11-01T00:00:00Z"
insecure = true
proxy = "http://proxy.example:3128"
style = "github"
)";

std::string problems_of(const std::string& text) {
    const auto settings = load_settings(text, "x.toml");
    return settings ? "" : settings.error().text();
}

/// A webhook with this, and otherwise valid.
std::string with(const std::string& lines) {
    std::string text = "[[webhook]]\n";
    for (const auto& [key, line] : {std::pair("url", "url = \"https://crm.example/hook\"\n"),
                                    std::pair("events", "events = [\"message.*\"]\n"),
                                    std::pair("secret", "secret = { file = \"/k\" }\n")}) {
        if (!("\n" + lines).contains("\n" + std::string(key) + " ")) {
            text += line;
        }
    }
    return text + lines;
}

}  // namespace

TEST_CASE("webhook settings: every key is read, and shown so that it reads the same again") {
    const auto settings = load_settings(whole, "x.toml");
    REQUIRE(settings);
    REQUIRE(settings->webhooks.size() == 1);
    const WebhookSettings& webhook = settings->webhooks.front();
    CHECK(webhook.name == "crm");
    CHECK(webhook.events.size() == 2);
    CHECK(webhook.secret->file == "/etc/smsrack/hook.key");
    CHECK(webhook.key->file == "/etc/smsrack/hook.ed25519");
    CHECK(webhook.style == WebhookStyle::github);
    CHECK(webhook.retry == std::chrono::hours(49));
    CHECK(webhook.keep == days(31));
    CHECK_FALSE(webhook.text);
    const std::string shown = settings_as_toml(*settings);
    CHECK(settings_as_toml(*load_settings(shown, "x.toml")) == shown);
}

TEST_CASE("webhook settings: without a name a webhook has that of its host") {
    CHECK(load_settings(with(""), "x.toml")->webhooks.front().name == "crm-example");
    CHECK(load_settings(with("url = \"http://[::1]:80/\"\n"), "x.toml")->webhooks.front().name ==
          "--1");
    CHECK(problems_of(with("") + with("")) ==
          "x.toml:5: webhook.name: \"crm-example\" is taken by the webhook of line 1; give each "
          "webhook a name of its own\n");
    CHECK(problems_of(with("") + with("name = \"crm2\"\n")) == "");
}

TEST_CASE("webhook settings: what is wrong is refused with its key and a reason") {
    struct Case {
        const char* lines;
        const char* problem;
    };
    for (const Case& it : {
             Case{"name = \"CRM\"\n", "webhook.name: must be 1 to 32 of a-z"},
             Case{"url = \"ftp://crm.example/\"\n", "webhook.url: must be \"https://\" or"},
             Case{"url = \"https://u:p@crm.example/\"\n", "webhook.url: must be"},
             Case{"url = \"http://192.0.2.1/\"\n", "insecure = true allows"},
             Case{"url = \"https://169.254.169.254/\"\n", "webhook.url: must not lead to"},
             Case{"url = \"https://[::ffff:169.254.169.254]/\"\n", "webhook.url: must not lead to"},
             Case{"url = \"http://0/\"\ninsecure = true\n", "webhook.url: must be"},
             Case{"events = []\n", "webhook.events: must name an event"},
             Case{"events = [\"message.recieved\"]\n", "did you mean \"message.received\"?"},
             Case{"events = [\"*\"]\n", "webhook.events[0]: no such event"},
             Case{"events = [\"mess.*\"]\n", "webhook.events[0]: no such event"},
             Case{"events = [\"message.*\", \"message.*\"]\n", "is there twice"},
             Case{"secret = \"whsec_x\"\n", "webhook.secret: must be a table in braces"},
             Case{"style = \"kannel\"\ntext = false\n", "webhook.text: must be true"},
             Case{"style = \"gitlab\"\n", "webhook.style: must be one of"},
             Case{"timeout_s = 0\n", "webhook.timeout_s: must be from 1 to 120"},
             Case{"parallel = 65\n", "webhook.parallel: must be from 1 to 64"},
             Case{"since = \"yesterday\"\n", "webhook.since: must be a time"},
             Case{"proxy = \"https://p:1\"\n", "webhook.proxy: must be \"http://\""},
             Case{"proxy = \"http://169.254.0.1:1\"\n", "webhook.proxy: must not lead to"},
             Case{"url = \"http://127.0.0.1/\"\nca = \"/ca\"\n", "webhook.ca: needs a url"},
             Case{"secert = 1\n", "did you mean \"secret\"?"},
         }) {
        CAPTURE(it.lines);
        CHECK(problems_of(with(it.lines)).contains(it.problem));
    }
    CHECK(problems_of("[[webhook]]\n").contains("webhook.url: is required"));
    CHECK(problems_of("[[webhook]]\nurl = \"https://a.example\"\nevents = [\"message.*\"]\n")
              .contains("webhook.secret: is required"));
    CHECK(problems_of("[[webhook]]\nurl = \"https://a.example\"\nevents = [\"message.*\"]\nstyle = "
                      "\"kannel\"\n") == "");
    CHECK(problems_of(with("url = \"http://192.0.2.1/\"\ninsecure = true\n")) == "");
    for (const char* const local : {"127.0.0.1", "[::1]", "10.1.2.3", "[fd12::1]", "crm.local"}) {
        CAPTURE(local);
        CHECK(problems_of(with("url = \"http://" + std::string(local) + "/\"\n")) == "");
    }
}

TEST_CASE("webhook settings: at most 64 webhooks, and none of their names for a client") {
    std::string many;
    for (int i = 0; i < 65; ++i) {
        many += with("name = \"w" + std::to_string(i) + "\"\n");
    }
    CHECK(problems_of(many).contains("webhook: at most 64 webhooks"));
    CHECK(problems_of("[[client]]\nname = \"webhook.crm\"\n")
              .contains("client.name: must not begin with \"webhook.\""));
}

TEST_CASE("webhook settings: the names of events are those that the service writes") {
    std::vector<std::string> names;
    const auto note = [&names](const Event& event) {
        const std::string name = event_name(event);
        if (name != "unknown" && std::ranges::find(names, name) == names.end()) {
            names.push_back(name);
        }
    };
    for (int type = 1; type <= 64; ++type) {
        Event event{.type = static_cast<EventType>(type)};
        if (event.type == EventType::cluster_notice) {
            for (const char* words :
                 {"box b2 is silent", "engine away", "conflict message 7", "decision 3 -> 2"}) {
                event.detail = words;
                note(event);
            }
            continue;
        }
        for (std::size_t state = 0; state < message_state_count; ++state) {
            event.state = static_cast<MessageState>(state);
            note(event);
        }
    }
    CHECK(names.size() == event_names.size());
    for (const std::string& name : names) {
        CAPTURE(name);
        CHECK(std::ranges::find(event_names, name) != event_names.end());
    }
}
