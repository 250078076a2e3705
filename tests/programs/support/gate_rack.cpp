#include "tests/programs/support/gate_rack.hpp"

#include "tests/support/read_file.hpp"
#include "tests/support/wait_for.hpp"
#include "tools/rig/free_port.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <fmt/format.h>
#include <fstream>
#include <utility>

namespace smsrack::test {

using namespace std::chrono_literals;

GateRack::GateRack(const std::string& more, RackPlan plan)
    : port_(rig::free_port()), rack_(plan_with(std::move(plan), more), false) {
    REQUIRE(smsrack({"tls", "new", "--name", "localhost", "--name", "127.0.0.1", "--cert",
                     certificate(), "--key", file("tls.key")})
                .ending == Ending{0, 0});
    for (const std::string role : {"send", "read", "admin"}) {
        tokens_[role] = new_token(role, role);
    }
    rack_.start_service();
    start_gate();
}

RackPlan GateRack::plan_with(RackPlan plan, const std::string& more) const {
    plan.config = fmt::format(
        "[http]\nlisten = \"127.0.0.1:{}\"\ntls_cert = \"{}\"\ntls_key = \"{}\"\ntokens = "
        "\"{}\"\n{}\n",
        port_, certificate(), file("tls.key"), file("tokens"), more);
    return plan;
}

Finished GateRack::smsrack(std::vector<std::string> words) const {
    words.insert(words.begin(), program("smsrack"));
    return run({.words = std::move(words)});
}

std::string GateRack::new_token(const std::string& name, const std::string& role) const {
    const Finished made = smsrack(
        {"--json", "token", "new", "--role", role, "--name", name, "--file", file("tokens")});
    REQUIRE(made.ending == Ending{0, 0});
    return wire::parse_json(made.output).value().at("token").get<std::string>();
}

void GateRack::revoke(const std::string& name) const {
    REQUIRE(smsrack({"token", "revoke", name, "--file", file("tokens")}).ending == Ending{0, 0});
}

void GateRack::start_gate() {
    gate_ = std::make_unique<Process>(
        Command{.words = {"/usr/bin/env", "RUNTIME_DIRECTORY=" + folder_.path().string(),
                          program("smsrack-gate"), "--config", rack_.config_file()},
                .output = file("gate.log")});
    REQUIRE(wait_for(20s, [&] { return gate_log().contains("event=listening"); }));
}

std::string GateRack::gate_log() const {
    return read_file(file("gate.log"));
}

std::string GateRack::file(const std::string& name) const {
    return (folder_.path() / name).string();
}

std::string GateRack::place() const {
    return fmt::format("localhost:{}", port_);
}

std::vector<std::string> GateRack::curl_words(const std::string& token,
                                              const std::string& target) const {
    std::vector<std::string> words{
        "/usr/bin/curl", "--silent", "--show-error", "--cacert", certificate(), "--max-time", "60"};
    if (!token.empty()) {
        words.insert(words.end(), {"--header", "Authorization: Bearer " + token});
    }
    words.push_back("https://" + place() + target);
    return words;
}

HttpAnswer GateRack::call(const std::string& token, const std::string& target,
                          const std::string& body) const {
    auto words = curl_words(token, target);
    words.emplace_back("--include");
    if (!body.empty()) {
        words.insert(words.end(),
                     {"--header", "Content-Type: application/json", "--data-binary", body});
    }
    const Finished done = run({.words = words}, 70s);
    CAPTURE(done.output);
    REQUIRE(done.ending == Ending{0, 0});
    return parse_answer(done.output);
}

HttpAnswer GateRack::browse(const std::string& target, const std::vector<std::string>& more) const {
    auto words = curl_words({}, target);
    words.insert(words.end(), {"--include", "--cookie", file("cookies"), "--cookie-jar",
                               file("cookies"), "--header", "Sec-Fetch-Site: same-origin"});
    words.insert(words.end(), more.begin(), more.end());
    const Finished done = run({.words = words}, 70s);
    CAPTURE(done.output);
    REQUIRE(done.ending == Ending{0, 0});
    return parse_answer(done.output);
}

Finished GateRack::s_client(std::vector<std::string> more, const std::string& input) const {
    std::ofstream(file("input")) << input;
    std::vector<std::string> words{"/usr/bin/openssl", "s_client",   "-connect", place(),
                                   "-CAfile",          certificate()};
    words.insert(words.end(), more.begin(), more.end());
    return run({.words = words, .input = file("input")}, 30s);
}

void GateRack::upgrade_service() {
    const Finished done = rack_.command({"--json", "upgrade", program("smsrackd")});
    CAPTURE(done.output);
    REQUIRE(done.ending == Ending{0, 0});
    const auto report = wire::parse_json(done.output).value();
    CHECK(rack_.follow_service(report.at("pid").get<pid_t>()) == Ending{0, 0});
}

Listening::Listening(const GateRack& rig, const std::string& token, const std::string& name,
                     const std::string& target)
    : file_(rig.file(name)) {
    auto words = rig.curl_words(token, target);
    words.emplace_back("--no-buffer");
    words.erase(std::ranges::find(words, "--max-time"), std::ranges::find(words, "60") + 1);
    process_ = std::make_unique<Process>(Command{.words = words, .output = file_});
    REQUIRE(wait_for(20s, [&] { return heard().contains(":\n\n"); }));
}

std::string Listening::heard() const {
    return read_file(file_);
}

std::vector<long> Listening::ids() const {
    return event_ids(heard());
}

std::vector<long> event_ids(const std::string& stream) {
    std::vector<long> found;
    for (std::size_t at = stream.find("\nid: "); at != std::string::npos;
         at = stream.find("\nid: ", at + 1)) {
        found.push_back(std::stol(stream.substr(at + 5, 20)));
    }
    return found;
}

}  // namespace smsrack::test
