/// The SMPP server of a gate between a service that is the test's and clients of ours, which block.
///
/// Threads: the server has one of its own.
#pragma once

#include "firmware-host/gate/smpp/smpp_server.hpp"
#include "src/access/password.hpp"
#include "tests/gate/support/ahead_clock.hpp"
#include "tests/gate/support/smpp_service.hpp"
#include "tests/support/quiet_log.hpp"
#include "tests/support/seeded_random.hpp"
#include "tests/support/temp_dir.hpp"
#include "tools/rig/esme.hpp"
#include "tools/rig/free_port.hpp"

#include <cstdint>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <future>
#include <string>
#include <thread>
#include <utility>

namespace smsrack::test {

class SmppGate {
public:
    /// `options`: of the account "shop". `settings`: their listener and accounts are the gate's own.
    explicit SmppGate(const std::string& options = "", config::SmppSettings settings = {})
        : settings_(with_place(std::move(settings))) {
        set_options(options);
        const auto started = server_.start();
        REQUIRE(started);
        runs_ = std::jthread([this] { loop_.run(); });
    }
    ~SmppGate() {
        loop_.stop();
        runs_.join();
    }
    SmppGate(const SmppGate&) = delete;
    SmppGate& operator=(const SmppGate&) = delete;

    void set_password(const std::string& password) const {
        write_account(access::password_hash(password).value(), "");
    }
    void set_options(const std::string& options) const {
        static const std::string hash = access::password_hash("secret12").value();
        write_account(hash, options);
    }
    [[nodiscard]] std::string metrics() {
        std::promise<std::string> text;
        loop_.post([&] { text.set_value(server_.metrics()); });
        return text.get_future().get();
    }
    /// The lines of this event in the log.
    [[nodiscard]] int logged(const std::string& event) const { return log_.count(event); }
    [[nodiscard]] std::uint16_t port() const { return port_; }

    [[nodiscard]] rig::Esme bound(smpp::Command kind = smpp::Command::bind_transceiver) const {
        rig::Esme esme(port_);
        REQUIRE(esme.bind("shop", "secret12", kind) == smpp::Status::ok);
        return esme;
    }

private:
    [[nodiscard]] config::SmppSettings with_place(config::SmppSettings settings) const {
        settings.listen = {fmt::format("127.0.0.1:{}", port_)};
        settings.accounts = accounts_;
        return settings;
    }
    /// As an editor does it.
    void write_account(const std::string& hash, const std::string& options) const {
        const std::string written = accounts_ + "~";
        std::ofstream(written) << fmt::format("shop {} {}\n", hash, options);
        std::filesystem::permissions(
            written, std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
        std::filesystem::rename(written, accounts_);
    }

    TempDir folder_;
    const std::string path_ = (folder_.path() / "s").string();
    const std::string accounts_ = (folder_.path() / "accounts").string();
    const std::uint16_t port_ = rig::free_port();
    const config::SmppSettings settings_;

public:
    SmppService service{path_};
    AheadClock clock;

private:
    QuietLog log_;
    SeededRandom random_{1};
    gate::GateMetrics metrics_;
    net::Loop loop_;
    gate::Upstream upstream_{loop_, path_};
    const gate::ServiceLink link_{upstream_, loop_, clock, metrics_};
    const gate::ClientAddresses addresses_{{}, "0123456789abcdef"};
    gate::SmppServer server_{
        settings_, {.link = link_, .log = log_, .random = random_, .addresses = addresses_}};
    std::jthread runs_;
};

}  // namespace smsrack::test
