/// The composition root: makes all objects in order, starts the threads, and ends them in reverse.
///
/// Threads: run() on the main thread, which becomes the loop thread.
/// Errors:  start(): what the first object said that could not be made, for one line on standard error.
#pragma once

#include "src/base/clock.hpp"
#include "src/base/log.hpp"
#include "src/base/result.hpp"
#include "src/config/settings.hpp"
#include "src/sms/error_table.hpp"

#include <memory>
#include <string>

namespace smsrack::host {

class Service {
public:
    /// `config_file` is read again at SIGHUP. `log` and `clock` outlive the service.
    Service(config::Settings settings, ErrorTable errors, std::string config_file, Log& log,
            const Clock& clock);
    ~Service();
    Service(const Service&) = delete;
    Service& operator=(const Service&) = delete;

    /// Opens the store, makes the rack, listens. busy: another service has the state_dir or the socket; newer_database,
    /// damaged_database, not_allowed, storage.
    [[nodiscard]] Result<> start();

    /// Until SIGTERM or SIGINT and what is in hand has ended.
    void run();

private:
    class Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace smsrack::host
