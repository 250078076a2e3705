/// [service]: paths, limits and threads of the service itself.
#pragma once

#include "src/config/field.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <tuple>

namespace smsrack::config {

struct FileMode {
    std::uint32_t bits = 0;  ///< as in chmod
    friend constexpr bool operator==(FileMode, FileMode) = default;
};

struct ServiceSettings {
    std::string state_dir = "/var/lib/smsrack";
    std::string socket = "/run/smsrack/smsrack.sock";
    FileMode socket_mode{0660};
    LogLevel log_level = LogLevel::info;
    std::string error_table = {};  ///< empty: the product's alone
    bool record_texts = false;
    seconds clock_wait{3'600};
    seconds upgrade_limit{10};
    std::int64_t connections = 1'024;
    std::int64_t connections_per_account = 512;
    std::int64_t memory_mib = 16;
    std::int64_t readers = 4;
    std::int64_t codec_threads = 2;

    static constexpr auto fields = std::tuple{
        field("state_dir", &ServiceSettings::state_dir, form(Form::absolute_path),
              "folder of the database"),
        field("socket", &ServiceSettings::socket, form(Form::socket_path), "local API"),
        field("socket_mode", &ServiceSettings::socket_mode, form(Form::file_mode),
              "who may use it: owner, group, others"),
        field("log_level", &ServiceSettings::log_level, form(Form::any),
              "error | warn | info | debug | trace"),
        field("error_table", &ServiceSettings::error_table, form(Form::absolute_path),
              "rows that go before the product's table of error codes"),
        field("record_texts", &ServiceSettings::record_texts, form(Form::any),
              "texts and numbers in the recorded dialogue of modems; PINs never"),
        field("clock_wait_s", &ServiceSettings::clock_wait, range(0, 31'622'400),
              "how long a clock older than the newest row is not trusted"),
        field("upgrade_limit_s", &ServiceSettings::upgrade_limit, range(1, 600),
              "each step of `smsrack upgrade` and `reload` at most; then this version continues"),
        field("connections", &ServiceSettings::connections, range(32, 16'384),
              "to the socket at once; 16 of them are kept for administrators"),
        field("connections_per_account", &ServiceSettings::connections_per_account,
              range(1, 16'384), "of one user of the system at once; administrators are exempt"),
        field("memory_mib", &ServiceSettings::memory_mib, range(4, 4'096),
              "for requests and unread answers of all clients together"),
        field("readers", &ServiceSettings::readers, range(1, 64),
              "threads that read the database, each with a connection; made when needed"),
        field("codec_threads", &ServiceSettings::codec_threads, range(1, 64),
              "threads that encode and decode messages; made when needed"),
    };
};

/// The database within state_dir.
inline constexpr std::string_view database_name = "smsrack.db";

}  // namespace smsrack::config
