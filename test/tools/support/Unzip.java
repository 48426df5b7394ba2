import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;

/** Takes apart a ZIP as it arrives on standard input, into the folder that is named. */
public class Unzip {
  public static void main(String[] args) throws Exception {
    ZipInputStream zip = new ZipInputStream(System.in);
    for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
      Files.copy((InputStream) zip, Path.of(args[0], entry.getName()));
    }
  }
}
