/// A folder of one test, removed with the object.
#pragma once

#include <atomic>
#include <filesystem>
#include <string>
#include <unistd.h>

namespace smsrack::test {

class TempFolder {
public:
    TempFolder() {
        static std::atomic<int> number = 0;
        path_ =
            base() / ("smsrack-db-" + std::to_string(getpid()) + "-" + std::to_string(++number));
        std::filesystem::create_directories(path_);
    }
    TempFolder(const TempFolder&) = delete;
    TempFolder& operator=(const TempFolder&) = delete;
    ~TempFolder() {
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
    }
    [[nodiscard]] std::filesystem::path file(const std::string& name) const { return path_ / name; }

private:
    /// In memory where there is such a folder: no test cuts the power, so none needs to wait for
    /// the disk.
    static std::filesystem::path base() {
        const std::filesystem::path memory = "/dev/shm";
        return access(memory.c_str(), W_OK) == 0 ? memory : std::filesystem::temp_directory_path();
    }

    std::filesystem::path path_;
};

}  // namespace smsrack::test
