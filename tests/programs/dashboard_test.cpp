// `smsrack dashboard`, and a login at a gate of the network: the real programs, with curl as the browser.
#include "tests/support/rack.hpp"
#include "tests/support/read_file.hpp"
#include "tests/support/wait_for.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <csignal>
#include <memory>
#include <string>
#include <vector>

namespace smsrack::test {

using namespace std::chrono_literals;

namespace {

/// The command, with what it printed.
class Dashboard {
public:
    explicit Dashboard(const Rack& rack)
        : output_(rack.folder() / "dashboard.out"),
          cookies_(rack.folder() / "cookies"),
          process_(std::make_unique<Process>(
              Command{.words = {program("smsrack"), "--socket", rack.socket().string(), "dashboard",
                                "--no-open"},
                      .output = output_})) {
        REQUIRE(wait_for(20s, [&] { return said().contains("Ctrl-C ends the dashboard"); }));
    }

    [[nodiscard]] std::string said() const { return read_file(output_); }
    [[nodiscard]] std::string address() const {
        const std::string text = said();
        const std::size_t begin = text.find("http://127.0.0.1:");
        REQUIRE(begin != std::string::npos);
        return text.substr(begin, text.find("/#code=", begin) - begin);
    }
    [[nodiscard]] std::string code() const {
        const std::string text = said();
        const std::size_t begin = text.find("/#code=") + 7;
        return text.substr(begin, text.find('\n', begin) - begin);
    }
    [[nodiscard]] Process& process() { return *process_; }

    /// As a browser does it, with the cookies that it has; 0: nothing answers.
    [[nodiscard]] HttpAnswer call(const std::string& method, const std::string& target,
                                  const std::string& body = {}) const {
        std::vector<std::string> words{
            "/usr/bin/curl", "--silent",     "--include", "--max-time", "30",  "--cookie",
            cookies_,        "--cookie-jar", cookies_,    "--request",  method};
        if (method != "GET") {
            words.insert(words.end(), {"--header", "Content-Type: application/json", "--header",
                                       "Sec-Fetch-Site: same-origin", "--data-binary", body});
        }
        words.push_back(address() + target);
        const Finished done = run({.words = words}, 40s);
        return done.ending == Ending{0, 0} ? parse_answer(done.output) : HttpAnswer{};
    }
    [[nodiscard]] HttpAnswer log_in(const std::string& with) const {
        return call("POST", "/v1/session", R"({"code":")" + with + R"("})");
    }

private:
    const std::string output_;
    const std::string cookies_;
    std::unique_ptr<Process> process_;
};

}  // namespace

TEST_CASE("dashboard: the printed address logs one browser in, as the caller") {
    Rack rack({});
    Dashboard dashboard(rack);
    CHECK(dashboard.call("GET", "/v1/status").status == 401);
    const HttpAnswer page = dashboard.call("GET", "/");
    CHECK(page.status == 200);
    CHECK(page.head.contains("Content-Security-Policy: default-src 'none'"));
    CHECK(page.body.contains("smsrack status"));

    const HttpAnswer login = dashboard.log_in(dashboard.code());
    REQUIRE(login.status == 200);
    CHECK(login.head.contains("HttpOnly; SameSite=Strict"));
    CHECK(login.json().at("role") == "admin");
    CHECK(login.json().at("remote") == false);
    CHECK(dashboard.call("GET", "/v1/status").status == 200);
    const HttpAnswer sent =
        dashboard.call("POST", "/v1/messages", R"({"to":"+33600000001","text":"hello"})");
    REQUIRE(sent.status == 202);
    CHECK(rack.reaches(sent.json().at("id").get<std::string>(), "delivered"));
    CHECK(dashboard.log_in(dashboard.code()).status == 401);

    // The service is gone and back: the login stays.
    CHECK(rack.stop_service() == Ending{0, 0});
    rack.start_service();
    CHECK(dashboard.call("GET", "/v1/session").status == 200);
    CHECK(dashboard.call("DELETE", "/v1/session").status == 200);
    CHECK(dashboard.call("GET", "/v1/session").status == 401);
    dashboard.process().signal(SIGINT);
    CHECK(dashboard.process().wait(20s) == Ending{0, 0});
    CHECK(dashboard.call("GET", "/").status == 0);
}

TEST_CASE("dashboard: its gate ends with the command, however that ends") {
    const Rack rack({});
    Dashboard dashboard(rack);
    CHECK(dashboard.call("GET", "/").status != 0);
    dashboard.process().signal(SIGKILL);
    CHECK(dashboard.process().wait(20s).has_value());
    CHECK(wait_for(20s, [&] { return dashboard.call("GET", "/").status == 0; }));
}

}  // namespace smsrack::test
